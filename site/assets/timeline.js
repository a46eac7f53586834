// The timeline of a lesson's run in its page: what is in view, what is chosen,
// and the same in words. trace.js reads the file, timeline-draw.js draws.
"use strict";

const picture = byId("ran-picture");
// One state for the one timeline of the page. A view is from one tick to
// another; hovered and chosen are slices.
const shown = { trace: null, file: null, name: "", bands: [], rows: [], from: 0, to: 1, chosen: null, hovered: null, row: -1, colours: {} };
const rowHeight = { warp: 18, load: 8, store: 7, mbarrier: 13, wgmma: 16, other: 12 };
const axis = 24, gap = 9;
const gutter = () => (picture.clientWidth < 640 ? 0 : 240);
const titleHeight = () => (gutter() ? 0 : 15); // without a gutter a title stands above its rows
byId("ran").hidden = false;

// timelineOf shows a run's file, bytes or nothing; run.js hands it over.
function timelineOf(name, bytes) {
	Object.assign(shown, { trace: null, file: bytes, name, chosen: null, hovered: null, row: -1 });
	let message = "This run left no timeline: its kernel did not start. What the program prints says why.";
	if (bytes) {
		try {
			shown.trace = readTrace(new TextDecoder().decode(bytes));
			message = about(shown.trace);
		} catch (error) {
			message = `The timeline of this run cannot be shown: ${error.message}. It can be saved.`;
		}
	}
	byId("ran-about").textContent = message;
	byId("ran-save").hidden = !bytes;
	byId("ran-body").hidden = !shown.trace;
	if (!shown.trace) return;
	ctaSwitches();
	whole();
	arrange();
	choose(null);
}

// timelineWaits is the time between the start of a run and its end, and
// timelineStops a run that has none.
function timelineWaits() {
	timelineOf("", null);
	byId("ran-about").textContent = "It is drawn when the run has ended.";
}
function timelineStops() {
	timelineOf("", null);
	byId("ran-about").textContent = "The run was cancelled: it left no timeline.";
}

function about({ about, gaps }) {
	const left = gaps.length ? ` Where ticks without an event are left out, a stripe says how many.` : "";
	return [`${about.kernel}: ${about.traced}.`, about.cut && `It is not whole: ${about.cut}.`, about.stuck && `${about.stuck}.`.replace(/^t/, "T")]
		.filter(Boolean).join(" ") + left;
}

// Which CTAs are drawn: the first, until others are asked for.
function ctaSwitches() {
	const ctas = shown.trace.ctas;
	byId("ran-ctas").hidden = ctas.length < 2;
	byId("ran-ctas").replaceChildren(...ctas.map((cta, i) => {
		const label = document.createElement("label"), box = document.createElement("input");
		Object.assign(box, { type: "checkbox", checked: i === 0, value: cta.id });
		label.append(box, cta.name.replace(/, the first.*/, ""));
		return label;
	}));
}

// arrange places bands and rows below each other, and writes the table.
function arrange() {
	const ctas = new Set([...byId("ran-ctas").querySelectorAll(":checked")].map((box) => Number(box.value)));
	shown.bands = bandsOf(shown.trace, ctas, byId("ran-warps").checked);
	shown.rows = [];
	for (const row of shown.trace.rows) row.y = row.middle = null; // not drawn
	let y = axis;
	for (const band of shown.bands) {
		y += gap;
		band.y = y;
		y += titleHeight();
		for (const row of band.rows) {
			row.y = y;
			row.height = rowHeight[band.kind];
			row.middle = y + row.height / 2;
			shown.rows.push(row);
			y += row.height;
		}
		for (const row of band.alike) row.middle = band.rows[0].middle; // where arrows of such a warp end
		band.end = y;
	}
	shown.height = y + gap;
	if (shown.chosen && shown.chosen.row.y === null) choose(null);
	shown.row = Math.min(shown.row, shown.rows.length - 1);
	picture.style.height = shown.height + "px";
	words();
	draw();
}

// words is the picture as tables.
function words() {
	const cells = (...texts) => {
		const tr = document.createElement("tr");
		tr.append(...texts.map((text, i) => Object.assign(document.createElement(i ? "td" : "th"), { textContent: text })));
		tr.firstChild.scope = "row";
		return tr;
	};
	const percent = (part) => (part >= 0.0005 ? (100 * part).toFixed(part < 0.1 ? 1 : 0) + " %" : "–");
	byId("ran-shares").replaceChildren(...shown.rows.map((row) => {
		const { busy, waits } = shares(shown.trace, row);
		return cells(titleOf(row), percent(busy), percent(waits), String(row.slices.filter((s) => s.depth === 0).length));
	}));
	byId("ran-waits").replaceChildren(...longestWaits(shown.rows, 8).map((s) =>
		cells(titleOf(s.row), s.name.replace(/^wait /, ""), `${ticks(s.from)} to ${ticks(s.to)}`, ticks(s.to - s.from), s.args["ended by"] ?? s.args.note ?? "–")));
	picture.setAttribute("aria-label", `Timeline of ${shown.rows.length} rows: ${shown.bands.map((b) => b.title).join(", ")}. The tables below it say the same in words.`);
}

// Where several CTAs are drawn, a row's name says of which it is.
const many = () => byId("ran-ctas").querySelectorAll(":checked").length > 1;
const rank = (row) => shown.trace.ctas.findIndex((c) => c.id === row.cta);
const titleOf = (row) => (many() ? `${rank(row)}: ` : "") + row.name;
const ticks = (t) => Math.round(t).toLocaleString("en");

// The view.
const span = () => shown.to - shown.from;
const width = () => picture.clientWidth - gutter();
const xOf = (t) => gutter() + (t - shown.from) / span() * width();
const tickAt = (x) => shown.from + (x - gutter()) / width() * span();

function look(from, length) {
	const all = shown.trace.end;
	length = Math.min(Math.max(length, 12), all * 1.02);
	shown.from = Math.min(Math.max(from, -all * 0.01), all * 1.01 - length);
	shown.to = shown.from + length;
	requestDraw();
}
const whole = () => look(-shown.trace.end * 0.01, shown.trace.end * 1.02);
const pan = (part) => look(shown.from + part * span(), span());
function zoom(factor, at = centre()) {
	look(at - (at - shown.from) * factor, span() * factor);
}
// A zoom by key or button keeps what is chosen in its place, if it is in view.
function centre() {
	const s = shown.chosen, middle = s && (Math.max(s.from, shown.from) + Math.min(s.to, shown.to)) / 2;
	return s && s.to > shown.from && s.from < shown.to ? middle : (shown.from + shown.to) / 2;
}

let frame = false;
function requestDraw() {
	if (frame) return;
	frame = true;
	requestAnimationFrame(() => { frame = false; draw(); });
}

// What is at a place of the picture: the innermost slice, or the one nearest
// within a few pixels, since most instructions are thinner than one.
function sliceAt(x, y) {
	const row = shown.rows.find((r) => y >= r.y && y < r.y + r.height);
	if (!row || x < gutter()) return null;
	const t = tickAt(x), near = span() / width() * 4;
	let best = null;
	for (const s of row.slices) {
		if (s.from - near > t || s.to + near < t) continue;
		const inside = s.from <= t && t <= s.to, size = s.to - s.from;
		if (!best || size < best.to - best.from && (inside || size < near)) best = s;
	}
	return best;
}

// choose says all about a slice, and keeps it until another is chosen.
function choose(s) {
	shown.chosen = s;
	shown.row = s ? shown.rows.indexOf(s.row) : -1;
	const list = byId("ran-now");
	if (!s) {
		list.replaceChildren(Object.assign(document.createElement("p"), { textContent: "Choose a bar to read what it is." }));
		return requestDraw();
	}
	const facts = [["row", s.row.name], ["from", `tick ${ticks(s.from)}`], ["to", `tick ${ticks(s.to)}`], ["length", `${ticks(s.to - s.from)} ticks`],
		...Object.entries(s.args).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : String(value)])];
	const items = document.createElement("dl");
	for (const [name, value] of facts) {
		const item = document.createElement("div"), dd = document.createElement("dd");
		item.append(Object.assign(document.createElement("dt"), { textContent: name }), dd);
		dd.append(...linked(value));
		items.append(item);
	}
	list.replaceChildren(Object.assign(document.createElement("h4"), { textContent: s.name }), items);
	requestDraw();
}

// linked is a text in which a line of the page's sources is a link.
function linked(value) {
	return value.split(/(v\d+\/[a-z_]+\.go:\d+)/).map((part) => {
		const line = part.match(/^v\d+\/(.+)$/)?.[1];
		return line && byId(line) ? Object.assign(document.createElement("a"), { href: "#" + line, textContent: part }) : part;
	});
}

// point shows the little of a slice that fits beside the pointer.
function point(s, x, y) {
	if (s !== shown.hovered) {
		shown.hovered = s;
		requestDraw();
	}
	const tip = byId("ran-tip"), gap = !s && x > gutter() && shown.trace.gaps.find((g) => g.from < tickAt(x) && tickAt(x) < g.to);
	tip.hidden = !s && !gap;
	if (tip.hidden) return;
	tip.textContent = gap ? gap.name + ", left out" : summary(s);
	tip.style.left = Math.min(x + 12, picture.clientWidth - tip.offsetWidth - 4) + "px";
	tip.style.top = y + 16 + "px";
}
function summary(s) {
	const ended = s.args["ended by"] ? `\nended by ${s.args["ended by"]}` : "";
	const bytes = s.args.bytes ? `, ${s.args.bytes.toLocaleString("en")} bytes` : "";
	return `${s.name}${bytes}\n${s.row.name}\n${ticks(s.from)} to ${ticks(s.to)}${ended}`;
}

// Pointers: one drags or chooses, two pinch.
const pointers = new Map();
let drag = null;
picture.addEventListener("pointerdown", (e) => {
	pointers.set(e.pointerId, e.offsetX);
	picture.setPointerCapture(e.pointerId);
	drag = { at: e.offsetX, from: shown.from, to: shown.to, moved: pointers.size > 1 };
	if (pointers.size === 2) drag.fingers = [...pointers.values()];
});
picture.addEventListener("pointermove", (e) => {
	if (!pointers.has(e.pointerId)) return point(e.pointerType === "touch" ? null : sliceAt(e.offsetX, e.offsetY), e.offsetX, e.offsetY);
	pointers.set(e.pointerId, e.offsetX);
	const length = drag.to - drag.from, per = length / width();
	if (pointers.size === 2) {
		const [a, b] = [...pointers.values()], [p, q] = drag.fingers;
		const factor = Math.max(Math.abs(q - p), 10) / Math.max(Math.abs(b - a), 10), held = drag.from + ((p + q) / 2 - gutter()) * per;
		return look(held - ((a + b) / 2 - gutter()) * per * factor, length * factor);
	}
	if (Math.abs(e.offsetX - drag.at) > 4) drag.moved = true;
	if (drag.moved && !drag.fingers) look(drag.from - (e.offsetX - drag.at) * per, length);
});
const lift = (e) => {
	if (!pointers.delete(e.pointerId)) return;
	if (e.type === "pointerup" && !drag.moved) choose(sliceAt(e.offsetX, e.offsetY));
};
picture.addEventListener("pointerup", lift);
picture.addEventListener("pointercancel", lift);
picture.addEventListener("pointerleave", () => point(null));

// The wheel scrolls the page, until the picture has the focus or Ctrl is held.
picture.addEventListener("wheel", (e) => {
	const across = e.shiftKey ? e.deltaX || e.deltaY : e.deltaX;
	if (!e.ctrlKey && !e.metaKey && document.activeElement !== picture && Math.abs(across) <= Math.abs(e.deltaY)) return;
	e.preventDefault();
	if (Math.abs(across) > Math.abs(e.deltaY) || e.shiftKey) pan(across / width());
	else zoom(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) / 150), tickAt(e.offsetX));
}, { passive: false });

// Keys.
function rowBy(step) {
	shown.row = Math.max(0, Math.min(shown.rows.length - 1, shown.row + step));
	const row = shown.rows[shown.row], at = centre();
	const near = row.slices.reduce((best, s) => (Math.abs((s.from + s.to) / 2 - at) < Math.abs((best.from + best.to) / 2 - at) ? s : best), row.slices[0]);
	choose(near);
	reveal(near);
}
function sliceBy(step) {
	if (shown.row < 0) return rowBy(1);
	const list = shown.rows[shown.row].slices;
	const next = list[list.indexOf(shown.chosen) + step];
	if (next) { choose(next); reveal(next); }
}
// reveal moves the view, if it must, to what was chosen.
function reveal(s) {
	if (s.from < shown.from || s.to > shown.to) look((s.from + s.to - Math.max(span(), s.to - s.from)) / 2, Math.max(span(), (s.to - s.from) * 1.1));
	scrollBy({ top: Math.min(0, picture.getBoundingClientRect().top + s.row.y - 60) + Math.max(0, picture.getBoundingClientRect().top + s.row.y + 60 - innerHeight), behavior: "instant" });
}
function follow() {
	const a = shown.chosen?.comes[0];
	if (!a || a.from.row.middle === null) return; // of a CTA that is not drawn
	if (a.from.row.y === null) {
		byId("ran-warps").checked = true;
		arrange();
	}
	choose(a.from);
	reveal(a.from);
}
const acts = { in: () => zoom(0.6), out: () => zoom(1 / 0.6), left: () => pan(-0.2), right: () => pan(0.2), whole };
const timelineKeys = {
	"+": acts.in, "=": acts.in, "-": acts.out, _: acts.out, 0: whole, ArrowLeft: acts.left, ArrowRight: acts.right,
	ArrowUp: () => rowBy(-1), ArrowDown: () => rowBy(1), ",": () => sliceBy(-1), ".": () => sliceBy(1), Enter: follow, Escape: () => choose(null),
};
picture.addEventListener("keydown", (e) => {
	const act = timelineKeys[e.key];
	if (!act || e.ctrlKey || e.metaKey || e.altKey || e.key === "Enter" && e.shiftKey) return;
	e.preventDefault();
	e.stopPropagation(); // the page's own keys
	act();
});
for (const button of byId("ran").querySelectorAll("[data-act]")) button.addEventListener("click", () => acts[button.dataset.act]());
byId("ran-ctas").addEventListener("change", arrange);
byId("ran-warps").addEventListener("change", arrange);

byId("ran-save").addEventListener("click", () => {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([shown.file], { type: "application/json" }));
	link.download = shown.name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});

// The picture follows its width and the theme.
new ResizeObserver(() => shown.trace && arrange()).observe(picture);
new MutationObserver(requestDraw).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", requestDraw);
