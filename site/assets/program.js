// A program of the course in a worker: loaded and compiled once, started for
// each request, and ended with its worker.
"use strict";

class Program {
	constructor(name) { this.name = name; }

	// load fetches and compiles the program. It comes as a script that holds it
	// compressed, so that this works from a disk, too.
	load() {
		this.module ||= (async () => {
			await Promise.all([loadScript("programs/worker.js"), loadScript(`programs/${this.name}.js`)]);
			const bytes = Uint8Array.from(atob(window.programs[this.name]), (c) => c.charCodeAt(0));
			const binary = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
			delete window.programs[this.name];
			return WebAssembly.compile(await binary.arrayBuffer());
		})();
		this.module.catch(() => { this.module = null; });
		return this.module;
	}

	// open starts a worker with a message. What it says goes to heard, until stop.
	open(message, heard, failed) {
		this.stop();
		// The address serves every run: a worker that starts late still needs it.
		this.address ||= URL.createObjectURL(new Blob([window.programs.worker], { type: "text/javascript" }));
		const worker = this.worker = new Worker(this.address);
		// A program that has ended may still be woken by a timer, which is an error
		// that tells nothing: what comes after the end is not heard.
		worker.onerror = (e) => {
			if (worker !== this.worker) return;
			this.stop();
			failed(e.message || "the worker failed");
		};
		worker.onmessage = ({ data }) => { if (worker === this.worker) heard(data); };
		worker.postMessage(message);
	}

	// start runs a module with an input. It calls back once: done(output, status),
	// or failed(message) if the program came to no end of its own.
	start(module, input, most, done, failed) {
		let output = "";
		this.open({ module, argv: [this.name], input }, (data) => {
			output += data.text ?? "";
			if (output.length > most) {
				this.stop();
				failed(`it printed more than ${most} characters`);
			} else if (data.error) {
				this.stop();
				failed(data.error);
			} else if ("status" in data) {
				this.stop();
				done(output, data.status);
			}
		}, failed);
	}

	stop() {
		this.worker?.terminate();
		this.worker = null;
	}
}
