// What a run of the page for PTX found, as a list whose places lead to the
// lines of the texts. The editors and make are those of ptx.js.
"use strict";

const plural = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

function verdict({ mistakes, report }) {
	if (!report) return mistakes.length === 1 ? "Not run: there is a mistake" : `Not run: there are ${mistakes.length} mistakes`;
	const found = report.findings.length + report.left_out;
	return (mistakes.length ? "Stopped at a limit; " : "") + (found ? plural(found, "finding") : "No findings") + " under " + plural(report.seeds.length, "seed");
}

// linkTo leads to a place of a text. What it says, by line, stays true while
// the text is edited.
function linkTo(editor, place, words) {
	const link = make("a", { href: "#" + editor.area.id }, words(place.line));
	place.moved = () => { link.textContent = words(place.line); };
	link.addEventListener("click", (e) => {
		e.preventDefault();
		editor.reveal(place);
	});
	return link;
}

// linked is a text in which "ptx line N" is a link.
function linked(text) {
	return text.split(/(ptx line \d+)/).map((part) => {
		const line = part.match(/^ptx line (\d+)$/)?.[1];
		return line ? linkTo(ptx, { line: Number(line), kind: "other" }, (line) => `ptx line ${line}`) : part;
	});
}

function showAnswer({ mistakes, report, text }) {
	const marks = { ptx: [], launch: [] };
	const parts = [];
	if (mistakes.length) {
		parts.push(make("ol", { class: "findings" }, ...mistakes.map((m) => {
			const editor = { ptx, launch }[m.in];
			const item = make("li", { class: "error" });
			const where = { ptx: "PTX", launch: "Launch" }[m.in];
			if (m.line) {
				const place = { line: m.line, column: m.column, kind: "error" };
				marks[m.in].push(place);
				item.append(make("p", {}, linkTo(editor, place, (line) => `${where}, line ${line}, column ${m.column}`)));
			} else if (where) {
				item.append(make("p", {}, where));
			}
			item.append(make("p", { class: "message" }, m.message));
			return item;
		})));
	}
	if (report) {
		if (report.findings.length) parts.push(make("ol", { class: "findings" }, ...report.findings.map((f) => finding(f, report, marks.ptx))));
		else if (!mistakes.length) parts.push(make("p", {}, `${report.entry}: nothing was found under ${plural(report.seeds.length, "seed")}. What this launch does not reach is not judged.`));
		if (report.left_out) parts.push(make("p", {}, `${report.left_out} more are not shown.`));
		parts.push(...buffers(report), ...counts(report));
	}
	const copy = make("button", { type: "button" }, "Copy as text");
	copy.addEventListener("click", async () => {
		copy.textContent = await copyText(text) ? "Copied" : "Not copied";
		setTimeout(() => { copy.textContent = "Copy as text"; }, 1500);
	});
	parts.push(make("p", {}, copy));
	result.replaceChildren(...parts);
	ptx.mark(marks.ptx);
	launch.mark(marks.launch);
}

// finding is an entry of the list. Its places are added to the marks.
function finding(f, report, marks) {
	const kind = f.severity === "latent" ? "latent" : "error";
	const item = make("li", { class: kind });
	const rules = bench.dataset.rules;
	item.append(make("p", { class: "message" }, make("strong", {}, f.severity), ": " + f.message + " ",
		rules ? make("a", { href: `${rules}#${f.rule}` }, f.rule) : make("code", {}, f.rule)));
	const at = (label, p, kind) => {
		const place = { line: p.ptx.Line, kind };
		marks.push(place);
		const actor = p.role || (p.warp >= 0 ? "warp " + p.warp : "");
		item.append(make("p", { class: "at" }, label + " ", linkTo(ptx, place, (line) => `line ${line}`),
			[p.source, ...p.calls ?? []].filter(Boolean).map((s, i) => (i ? ", called at " : ", ") + s).join(""),
			actor ? `, CTA (${p.cta.join(",")}), ${actor}` : "",
			p.text ? make("code", {}, p.text) : null));
	};
	at("at", f.at, kind);
	for (const p of f.other ?? []) at("and", p, "other");
	const facts = [...f.edge ? ["missing: " + f.edge] : [], ...f.details ?? []];
	if (f.count > 1) facts.push(`seen ${f.count} times; this is the first`);
	if (report.seeds.length > 1) facts.push(`under ${f.seeds.length} of ${report.seeds.length} seeds, first ${f.seeds[0]}`);
	if (facts.length) item.append(make("ul", {}, ...facts.map((text) => make("li", {}, ...linked(text)))));
	if (f.advice) item.append(make("p", { class: "advice" }, "Try: " + f.advice));
	return item;
}

// table has numbers in some of its columns.
function table(name, head, numbers, rows) {
	const line = (row, tag, more) => make("tr", {}, ...row.map((cell, i) => make(tag, { ...more, ...numbers.includes(i) ? { class: "num" } : {} }, String(cell))));
	return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": name },
		make("table", {}, make("thead", {}, line(head, "th", { scope: "col" })), make("tbody", {}, ...rows.map((row) => line(row, "td", {})))));
}

function buffers({ buffers, seeds }) {
	if (!buffers.length) return [];
	const same = ({ differs }) => seeds.length === 1 ? "" : differs.length ? ` (another under ${differs.length} of ${seeds.length} seeds)` : "";
	return [make("h3", {}, "Buffers"), table("buffers", ["argument", "elements", "changed", "first", "digest"], [],
		buffers.map((b) => [`args[${b.arg}]`, `${b.count} ${b.type}`, b.changed === b.count ? "all" : b.changed || "none", b.first.slice(0, 4).join(", ") + (b.count > 4 ? ", …" : ""), b.digest + same(b)]))];
}

function counts({ counts, seeds }) {
	if (!counts.length) return [];
	return [make("h3", {}, `What it did, under seed ${seeds[0]}`), table("counts", ["what", "times", "bytes"], [1, 2], counts.map((c) => [c.what, c.times, c.bytes || ""]))];
}
