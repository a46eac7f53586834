// What every page does: theme, search, keys, copying, and the link between a
// word in the prose and the same word in the code beside it.
"use strict";

const byId = (id) => document.getElementById(id);
document.querySelector(".tools").hidden = false;

// Theme: system, light, dark.
const themes = ["system", "light", "dark"];
const root = document.documentElement;
const currentTheme = () => root.dataset.theme || "system";

function showTheme() {
	const name = currentTheme();
	byId("theme").textContent = { system: "Auto", light: "Light", dark: "Dark" }[name];
	byId("theme").setAttribute("aria-label", "Theme: " + (name === "system" ? "as the system" : name));
}

function nextTheme() {
	const next = themes[(themes.indexOf(currentTheme()) + 1) % themes.length];
	if (next === "system") delete root.dataset.theme;
	else root.dataset.theme = next;
	try {
		localStorage.setItem("theme", next);
	} catch {
		// it then lasts as long as the page
	}
	showTheme();
}
byId("theme").addEventListener("click", nextTheme);
showTheme();

// A script is loaded when it is first needed, and once.
const loading = new Map();
function loadScript(src) {
	if (!loading.has(src)) {
		loading.set(src, new Promise((done, fail) => {
			const s = document.createElement("script");
			s.src = src;
			s.onload = done;
			s.onerror = () => {
				loading.delete(src);
				fail(new Error(src + " cannot be loaded"));
			};
			document.head.append(s);
		}));
	}
	return loading.get(src);
}

// Search: every term must occur; a title counts for more than the text.
const searchDialog = byId("search");
const query = byId("query");

function find(text) {
	const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
	if (!terms.length) return [];
	const hits = [];
	for (const e of window.searchIndex) {
		const title = e.t.toLowerCase(), body = e.x.toLowerCase();
		let score = 0;
		for (const term of terms) {
			const inTitle = title.indexOf(term), inBody = body.indexOf(term);
			if (inTitle < 0 && inBody < 0) { score = -1; break; }
			if (inTitle >= 0) score += title === term ? 40 : /\w/.test(title[inTitle - 1] || " ") ? 8 : 20;
			if (inBody >= 0) score += 3 + (inBody < 80 ? 1 : 0);
		}
		if (score > 0) hits.push([score, e]);
	}
	return hits.sort((a, b) => b[0] - a[0]).slice(0, 20).map((h) => h[1]);
}

// around is the part of a text in which a term stands.
function around(text, term) {
	const at = Math.max(0, text.toLowerCase().indexOf(term) - 50);
	return (at ? "… " : "") + text.slice(at, at + 150) + (at + 150 < text.length ? " …" : "");
}

function showResults() {
	const hits = find(query.value);
	const term = query.value.toLowerCase().split(/\s+/)[0];
	byId("results").replaceChildren(...hits.map((e) => {
		const item = document.createElement("li"), link = document.createElement("a"), where = document.createElement("small"), text = document.createElement("p");
		link.href = e.u;
		link.textContent = e.t;
		where.textContent = e.p === e.t ? "" : " " + e.p;
		text.textContent = around(e.x, term);
		item.append(link, where, text);
		return item;
	}));
	byId("found").textContent = query.value.trim() ? (hits.length ? hits.length + " found" : "Nothing found") : "";
}

async function openSearch() {
	if (!searchDialog.open) searchDialog.showModal();
	query.select();
	await loadScript("assets/search.js");
	showResults();
}
byId("open-search").addEventListener("click", openSearch);
query.addEventListener("input", () => window.searchIndex && showResults());
query.addEventListener("keydown", (e) => {
	if (e.key !== "Enter") return;
	e.preventDefault();
	byId("results").querySelector("a")?.click();
});
byId("results").addEventListener("click", (e) => e.target.closest("a") && searchDialog.close());

byId("open-help").addEventListener("click", () => byId("help").showModal());

// Keys. They are left alone where something is written, or scrolled sideways.
const go = (rel) => document.querySelector(`a[rel=${rel}]`)?.click();
const keys = {
	"/": openSearch, "?": () => byId("help").showModal(), t: nextTheme,
	n: () => go("next"), p: () => go("prev"), ArrowRight: () => go("next"), ArrowLeft: () => go("prev"),
};
document.addEventListener("keydown", (e) => {
	if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
	// A dialog is closed here: its field may keep the focus for one more frame, but nobody writes in it.
	if (e.target.closest("input, select, textarea, [contenteditable]") && !e.target.closest("dialog")) return;
	if (e.key.startsWith("Arrow") && e.target.closest("pre, .scroll")) return;
	const act = keys[e.key];
	if (!act) return;
	e.preventDefault();
	act();
});

// Copying. What is copied is the code alone.
for (const button of document.querySelectorAll(".copy")) {
	button.hidden = false;
	button.addEventListener("click", async () => {
		const code = button.closest(".block, figure").querySelector("code");
		const done = await copyText(code.textContent);
		button.textContent = done ? "Copied" : "Not copied";
		setTimeout(() => { button.textContent = "Copy"; }, 1500);
	});
}

async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		// A page from a disk has no clipboard, but may copy what is selected.
		const area = document.createElement("textarea");
		area.value = text;
		document.body.append(area);
		area.select();
		const done = document.execCommand("copy");
		area.remove();
		return done;
	}
}

// A word of the prose and the lines beside it that have it.
const marks = (row, name, on) => {
	for (const word of row.querySelectorAll(".aside code a, .aside code span, .prose code")) {
		if (word.textContent === name) word.classList.toggle("lit", on);
	}
};
for (const row of document.querySelectorAll(".row.paired")) {
	const nameOf = (e) => e.target.closest(".prose code, .aside code a, .aside code span")?.textContent.replace(/^k\./, "");
	row.addEventListener("pointerover", (e) => { const n = nameOf(e); if (n) marks(row, n, true); });
	row.addEventListener("pointerout", (e) => { const n = nameOf(e); if (n) marks(row, n, false); });
}
