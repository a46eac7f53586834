// Figures that run. The program of all of them is loaded when the first comes
// into view and then kept; what a figure shows is what it answers, drawing
// included. Until then, and without it, the recorded state stands there.
"use strict";

const engine = {
	program: new Program("figures"),
	worker: null,
	asked: [], // who waits for an answer, in order

	async start() {
		const module = await this.program.load();
		await loadScript("programs/figures-worker.js");
		if (this.worker) return;
		this.address ||= URL.createObjectURL(new Blob([window.programs["figures-worker"]], { type: "text/javascript" }));
		this.worker = new Worker(this.address);
		this.worker.onmessage = ({ data }) => (data.error ? this.fail(data.error) : this.asked.shift()?.done(JSON.parse(data.line)));
		this.worker.onerror = (e) => this.fail(e.message || "the worker failed");
		this.worker.postMessage(module);
	},

	// fail ends the program; the next question starts it anew.
	fail(message) {
		this.worker?.terminate();
		this.worker = null;
		for (const { failed } of this.asked.splice(0)) failed(new Error(message));
	},

	async ask(question) {
		await this.start();
		return new Promise((done, failed) => {
			this.asked.push({ done, failed });
			this.worker.postMessage(JSON.stringify(question));
		});
	},
};

// element makes an element with text, or with children.
function element(name, content, attributes = {}) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.append(...[content].flat());
	return e;
}

class Figure {
	constructor(root) {
		this.root = root;
		this.name = root.dataset.figure;
		this.form = root.querySelector("form");
		this.busy = false;
		this.next = null; // asked for while busy
		this.form.hidden = false;
		this.form.addEventListener("submit", (e) => e.preventDefault());
		this.form.addEventListener("input", (e) => e.target.type !== "text" && e.target.checkValidity() && this.ask(e.target.name));
		this.form.addEventListener("change", (e) => this.ask(e.target.name, true));
		this.form.addEventListener("reset", () => setTimeout(() => { this.play(false); this.ask("", true); }));
		this.form.addEventListener("click", (e) => this.button(e.target.closest("button")));
		this.part("drawing").addEventListener("click", (e) => this.set(e.target.closest("[data-set]")?.dataset.set));
	}

	part(name) { return this.root.querySelector(".running-" + name); }

	// set takes "name=value" with spaces between, as a shape of the drawing has it.
	set(text) {
		if (!text) return;
		let changed = "";
		for (const pair of text.split(" ")) {
			const [name, value] = pair.split("=");
			this.form.elements[name].value = value;
			changed = name;
		}
		this.ask(changed, true);
	}

	button(button) {
		if (!button?.dataset.for) return;
		const { add, turn } = button.dataset, field = this.form.elements[button.dataset.for];
		if ("play" in button.dataset) return this.play(!this.timer, field);
		this.play(false);
		if (add !== undefined) field.value = [field.value.trim().replace(/;$/, ""), add].filter(Boolean).join("; ");
		else if (turn) field.value = Math.min(Math.max(Number(field.value) + Number(turn), field.min), field.max);
		else field.value = field.value.split(";").slice(0, -1).join(";").trim();
		this.ask(field.name, true);
	}

	// play turns a field from its present value, or from the first, to the last.
	play(on, field) {
		clearInterval(this.timer);
		this.timer = null;
		const button = this.form.querySelector("[data-play]");
		if (button) button.textContent = on ? "Pause" : "Play";
		if (!on) return;
		const turn = (to) => { field.value = to; this.ask(field.name, true); };
		if (Number(field.value) >= Number(field.max)) turn(field.min);
		this.timer = setInterval(() => {
			if (Number(field.value) >= Number(field.max) || !field.isConnected) this.play(false);
			else turn(Number(field.value) + 1);
		}, 700);
	}

	// ask asks for the state of the fields. A number that is being typed is left as
	// it is unless all is to follow the answer; a text is asked for when it is done.
	async ask(changed, all = false) {
		if (this.busy) {
			this.next = [changed, all];
			return;
		}
		this.busy = true;
		const set = Object.fromEntries(new FormData(this.form));
		const slow = setTimeout(() => this.say(engine.worker ? "Computing …" : "Loading the program …"), 400);
		try {
			this.show(await engine.ask({ figure: this.name, set, changed }), all);
		} catch (error) {
			this.play(false);
			this.say(`The figure cannot run: ${error.message}. The picture shows its last state.`);
			this.root.classList.add("stale");
		}
		clearTimeout(slow);
		this.busy = false;
		const next = this.next;
		this.next = null;
		if (next) this.ask(...next);
	}

	say(text) { this.part("said").textContent = text; }

	show(answer, all) {
		this.root.classList.toggle("stale", Boolean(answer.wrong));
		if (answer.wrong) {
			this.play(false);
			this.say("This cannot be shown: " + answer.wrong + ".");
			return;
		}
		// Fields that were changed since are asked for next, and keep what they have.
		for (const c of this.next ? [] : answer.controls) {
			const field = this.form.elements[c.name];
			if (field.type === "number") [field.min, field.max, field.step] = [c.min, c.max, c.step];
			if (field.value !== c.value && (all || field !== document.activeElement)) field.value = c.value;
		}
		this.part("drawing").innerHTML = answer.drawing;
		this.say(answer.said);
		const output = this.part("output");
		output.hidden = !answer.output;
		output.firstElementChild.textContent = answer.output ?? "";
		const { caption, head, rows } = answer.table;
		this.part("values").querySelector("table").replaceChildren(
			element("caption", caption),
			element("thead", element("tr", head.map((h) => element("th", h, { scope: "col" })))),
			element("tbody", rows.map((r) => element("tr", r.map((cell, i) => (i ? element("td", cell) : element("th", cell, { scope: "row" })))))),
		);
	}
}

const view = new IntersectionObserver((seen) => {
	if (!seen.some((s) => s.isIntersecting)) return;
	view.disconnect();
	engine.start().catch(() => {}); // it is told when something is asked
}, { rootMargin: "200px" });
for (const root of document.querySelectorAll(".running")) {
	new Figure(root);
	view.observe(root);
}
