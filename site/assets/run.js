// Runs a lesson's program in the page.
"use strict";

const form = byId("program");
const output = byId("output").firstElementChild;
const program = new Program(form.dataset.program);
const state = { ticket: null, began: 0 };
form.hidden = false;

// flags is the command line that the fields ask for.
function flags() {
	const given = [];
	for (const field of form.elements) {
		if (field.name === "arguments") given.push(...field.value.split(" ")); // as they stand, before the flags
		else if (field.name && field.value && !(field.name === "type" && field.value === "f16")) given.push("-" + field.name, field.value);
	}
	return given;
}

// The program writes its timeline to a file, which the worker keeps. It ends
// where it would be too long for a page.
const traced = () => `${form.dataset.program}-timeline.json`;
const timed = byId("ran") !== null; // a page without that section shows none
const traceFlags = () => (timed ? ["-trace", traced(), "-trace-limit", "20000"] : []);

const say = (text) => { byId("status").textContent = text; };
const showCommand = () => { byId("command").textContent = `go run ./lessons/${form.dataset.program} ${flags().join(" ")}`; };

function finish(text) {
	program.stop();
	byId("cancel").disabled = true;
	say(text);
}

// show appends output; a line of a source file that it names becomes a link, and
// so does a rule, by its address or in brackets at the end of a line.
function show(text) {
	const rules = new Set(text.match(/(?<=\[)[a-z]+(?:-[a-z]+)*(?=\]$)/gm));
	for (const part of text.split(/((?:v\d+|museum)\/[a-z_]+\.go:\d+|docs\/rules\.md#[a-z-]+|(?<=\[)[a-z]+(?:-[a-z]+)*(?=\]$))/m)) {
		const target = part.match(/^(?:v\d+|museum)\/(.+)$/)?.[1];
		const rule = part.match(/^docs\/rules\.md(#.+)$/)?.[1] ?? (rules.has(part) ? "#" + part : null);
		if (rule || target && byId(target)) {
			const link = document.createElement("a");
			link.href = rule ? "rules.html" + rule : "#" + target;
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
		if (!program.module) say("Loading the program …");
		module = await program.load();
	} catch (error) {
		finish(`The program cannot be loaded: ${error.message}. What was recorded stands below.`);
		return;
	}
	if (state.ticket !== ticket) return; // cancelled, or begun again
	byId("shown").textContent = "What it prints in this page:";
	output.textContent = "";
	say("Running …");
	if (timed) timelineWaits();
	let timeline = null;
	state.began = performance.now();
	program.open({ module, argv: [form.dataset.program, ...flags(), ...traceFlags()], wanted: traced() }, (data) => {
		if (data.text) show(data.text);
		if (data.file) timeline = data.file;
		if (data.error) finish("It failed: " + data.error);
		if ("status" in data) {
			finish(verdict(data.status));
			setTimeout(() => timed && state.ticket === ticket && timelineOf(traced(), timeline)); // the verdict is shown first
		}
	}, (message) => finish("The worker failed: " + message));
}

function verdict(status) {
	const seconds = ((performance.now() - state.began) / 1000).toFixed(1);
	const words = { 0: form.dataset.ended ?? "Verified", 1: "Not right: see what it says", 2: "A flag is wrong" };
	return `${words[status] ?? "It ended with status " + status} (${seconds} s)`;
}

form.addEventListener("submit", (e) => {
	e.preventDefault();
	if (e.submitter?.value) form.elements.arguments.value = e.submitter.value; // a button that says what to run
	showCommand();
	run();
});
form.addEventListener("input", showCommand);
byId("cancel").addEventListener("click", () => { state.ticket = null; finish("Cancelled"); if (timed) timelineStops(); });
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
