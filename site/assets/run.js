// Runs a lesson's program in a worker. The program comes as a script that holds
// it compressed, so that this works from a disk, too; it is compiled once.
"use strict";

const form = byId("program");
const output = byId("output").firstElementChild;
const state = { module: null, worker: null, began: 0 };
form.hidden = false;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

async function unpack(base64) {
	const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Response(stream).arrayBuffer();
}

// load fetches and compiles the program, once.
function load() {
	state.module ||= (async () => {
		const name = form.dataset.program;
		say("Loading the program …");
		await Promise.all([loadScript("programs/worker.js"), loadScript(`programs/${name}.js`)]);
		const binary = await unpack(window.programs[name]);
		delete window.programs[name];
		return WebAssembly.compile(binary);
	})();
	state.module.catch(() => { state.module = null; });
	return state.module;
}

// flags is the command line that the fields ask for.
function flags() {
	const given = [];
	for (const field of form.elements) {
		if (field.name && field.value && !(field.name === "type" && field.value === "f16")) given.push("-" + field.name, field.value);
	}
	return given;
}

const say = (text) => { byId("status").textContent = text; };
const showCommand = () => { byId("command").textContent = `go run ./lessons/${form.dataset.program} ${flags().join(" ")}`; };

function finish(text) {
	state.worker?.terminate();
	state.worker = null;
	byId("cancel").disabled = true;
	say(text);
}

// show appends output; a line of a source file that it names becomes a link.
function show(text) {
	for (const part of text.split(/(v\d+\/[a-z_]+\.go:\d+)/)) {
		const target = part.match(/^v\d+\/(.+)$/)?.[1];
		if (target && byId(target)) {
			const link = document.createElement("a");
			link.href = "#" + target;
			link.textContent = part;
			output.append(link);
		} else {
			output.append(part);
		}
	}
}

async function run() {
	if (!form.reportValidity()) return;
	finish("");
	byId("cancel").disabled = false;
	const ticket = {};
	state.ticket = ticket;
	let module;
	try {
		module = await load();
	} catch (error) {
		finish(`The program cannot be loaded: ${error.message}. What was recorded stands below.`);
		return;
	}
	if (state.ticket !== ticket) return; // cancelled, or begun again
	byId("shown").textContent = "What it prints in this page:";
	output.textContent = "";
	say("Running …");
	state.began = performance.now();
	const source = new Blob([window.programs.worker], { type: "text/javascript" });
	const address = URL.createObjectURL(source);
	state.worker = new Worker(address);
	URL.revokeObjectURL(address);
	state.worker.onerror = (e) => finish("The worker failed: " + e.message);
	state.worker.onmessage = ({ data }) => {
		if (data.text) show(data.text);
		if (data.error) finish("It failed: " + data.error);
		if ("status" in data) finish(verdict(data.status));
	};
	state.worker.postMessage({ module, argv: [form.dataset.program, ...flags()] });
}

function verdict(status) {
	const seconds = ((performance.now() - state.began) / 1000).toFixed(1);
	const words = { 0: "Verified", 1: "Not right: see what it says", 2: "A flag is wrong" };
	return `${words[status] ?? "It ended with status " + status} (${seconds} s)`;
}

form.addEventListener("submit", (e) => { e.preventDefault(); run(); });
form.addEventListener("input", showCommand);
byId("cancel").addEventListener("click", () => { state.ticket = null; finish("Cancelled"); });
document.addEventListener("keydown", (e) => {
	if (e.key !== "Enter" || !e.shiftKey || document.querySelector("dialog[open]")) return;
	e.preventDefault();
	byId("run").scrollIntoView();
	run();
});

// A link to a run: the fields are in its query.
byId("share").addEventListener("click", async () => {
	const link = new URL(location.href);
	link.hash = "run";
	link.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
	history.replaceState(null, "", link);
	say(await copyText(link.href) ? "The link is copied" : "The link is in the address bar");
});
const asked = new URLSearchParams(location.search);
for (const [name, value] of asked) {
	if (form.elements[name]) form.elements[name].value = value;
}
showCommand();
if (asked.size) run();
