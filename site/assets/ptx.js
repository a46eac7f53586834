// The page on which a reader runs PTX: texts in, results out.
"use strict";

const bench = byId("bench");
const ptx = new Editor(byId("ptx-text")), launch = new Editor(byId("launch-text"));
const program = new Program("playground");
const seconds = Number(bench.dataset.seconds);
const mostOutput = 4e6; // characters
const mostLink = 16000; // characters; longer ones do not survive mail and chat
const say = (text) => { byId("status").textContent = text; };
const result = byId("result");
bench.hidden = false;

// The DOM, shortly: a string is a text.
function make(name, attributes, ...content) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	e.append(...content.filter((c) => c !== null));
	return e;
}

// Examples. Their texts stand in the page.
const partOf = (name, part) => byId("example-" + name).querySelector(part).textContent;
const exampleTexts = (name) => ({ ptx: partOf(name, ".language-ptx"), launch: partOf(name, ".language-json") });

// show puts texts into the editors; name is an example's, or "own".
function show(name, texts) {
	cancel("");
	byId("to-result").hidden = true;
	byId("example").value = name;
	ptx.set(texts.ptx);
	launch.set(texts.launch);
	byId("note").textContent = name === "own" ? "" : byId("example-" + name).dataset.note;
	result.replaceChildren(...(name === "own" ? [make("p", { class: "source-note" }, "Nothing was run yet.")] :
		[make("p", { class: "source-note" }, "What was recorded:"), make("pre", { tabindex: "0" }, make("code", {}, ...linked(partOf(name, ".recorded"))))]));
}

// What is written survives a reload. A browser may refuse to remember it.
const stored = "ptx";
const texts = () => ({ ptx: ptx.text, launch: launch.text });
let own = null; // the reader's own texts
function keep() {
	try {
		localStorage.setItem(stored, JSON.stringify({ shown: byId("example").value, own }));
	} catch {
		// then it lasts as long as the page
	}
}
function recall() {
	try {
		const was = JSON.parse(localStorage.getItem(stored));
		if (typeof was?.own?.ptx === "string" && typeof was.own.launch === "string") own = was.own;
		return was?.shown;
	} catch {
		return null;
	}
}

let waiting = 0;
function edited() {
	own = texts();
	byId("example").value = "own";
	byId("note").textContent = "";
	if (location.hash.startsWith("#ptx=")) history.replaceState(null, "", location.pathname + location.search);
	clearTimeout(waiting);
	waiting = setTimeout(keep, 300);
}
for (const editor of [ptx, launch]) editor.area.addEventListener("input", edited);
addEventListener("pagehide", () => { if (own) keep(); });
byId("example").addEventListener("change", (e) => {
	const name = e.target.value;
	show(name, name === "own" ? own ?? { ptx: "", launch: "{\n  \"grid\": 1,\n  \"block\": 32,\n  \"args\": []\n}\n" } : exampleTexts(name));
	keep();
});

// A link holds both texts, compressed, in its fragment, which no server sees.
const streamed = async (bytes, through, most) => {
	const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
	const parts = [];
	for (let size = 0; ;) {
		const { done, value } = await reader.read();
		if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
		if ((size += value.length) > most) throw new Error("it is too long");
		parts.push(value);
	}
};
async function linkOf(texts) {
	const bytes = await streamed(new TextEncoder().encode(JSON.stringify(texts)), new CompressionStream("deflate-raw"), mostLink);
	const code = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
	const link = new URL(location.href);
	link.hash = "ptx=" + code;
	if (link.href.length > mostLink) throw new Error("it is too long");
	return link;
}
async function textsOf(hash) {
	const code = hash.slice("#ptx=".length).replaceAll("-", "+").replaceAll("_", "/");
	const bytes = await streamed(Uint8Array.from(atob(code), (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"), mostOutput);
	const texts = JSON.parse(new TextDecoder().decode(bytes));
	if (typeof texts.ptx !== "string" || typeof texts.launch !== "string") throw new Error("it holds no texts");
	return texts;
}
byId("share").addEventListener("click", async () => {
	try {
		const link = await linkOf(texts());
		history.replaceState(null, "", link);
		say(await copyText(link.href) ? "The link is copied" : "The link is in the address bar");
	} catch {
		say(`The texts are too long for a link of ${mostLink} characters: send the files`);
	}
});
async function fromLink() {
	try {
		show("own", await textsOf(location.hash));
		own ??= texts(); // what the reader has written before stays
		keep();
		say("This came with the link. Read it, then run it");
	} catch {
		say("The link is damaged: it was probably cut. Ask for the files");
	}
}
document.querySelector('a[href="#fields"]').addEventListener("click", () => { byId("fields").open = true; });
addEventListener("hashchange", () => location.hash.startsWith("#ptx=") && fromLink());

// Runs.
let ticket = null, timer = 0;
function finish(text) {
	program.stop();
	clearTimeout(timer);
	ticket = null;
	byId("cancel").disabled = true;
	say(text);
}
const cancel = (text) => { if (ticket) finish(text); else say(""); };
byId("cancel").addEventListener("click", () => cancel("Cancelled"));

async function run() {
	finish("Loading the program …");
	byId("to-result").hidden = true;
	const mine = ticket = {};
	byId("cancel").disabled = false;
	let module;
	try {
		module = await program.load();
	} catch (error) {
		if (ticket === mine) finish(`The program cannot be loaded: ${error.message}`);
		return;
	}
	if (ticket !== mine) return; // cancelled, or begun again
	say("Running …");
	const began = performance.now();
	const took = () => `${((performance.now() - began) / 1000).toFixed(2)} s`;
	timer = setTimeout(() => finish(`Stopped: the limit of ${seconds} s is up. Launch fewer CTAs, or take fewer seeds`), 1000 * seconds);
	program.start(module, JSON.stringify(texts()), mostOutput,
		(output, status) => {
			if (status !== 0) return finish("It failed: " + output.split("\n", 1)[0]);
			const answer = JSON.parse(output);
			showAnswer(answer);
			finish(verdict(answer) + (answer.report ? ` (${took()})` : ""));
			byId("to-result").hidden = false;
		},
		(message) => finish("It failed: " + message));
}
bench.addEventListener("submit", (e) => { e.preventDefault(); run(); });
bench.addEventListener("focusin", () => program.load().catch(() => {}), { once: true }); // ready by the time it is run
document.addEventListener("keydown", (e) => {
	if (e.key !== "Enter" || !e.shiftKey || document.querySelector("dialog[open]")) return;
	e.preventDefault();
	run();
});

// What is shown at first: what came with a link, what was here before, or the
// first example.
const before = recall();
if (location.hash.startsWith("#ptx=")) {
	fromLink();
} else if (before === "own" && own) {
	show("own", own);
} else {
	const name = byId("example-" + before) ? before : byId("example").options[0].value;
	show(name, exampleTexts(name));
}
