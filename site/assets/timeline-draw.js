// Draws the timeline that timeline.js keeps.
"use strict";

const brush = byId("ran-picture").getContext("2d");

// Colours are those of the key, which the style sheet gives.
function readColours() {
	for (const sample of byId("ran-key").querySelectorAll("[data-colour]")) {
		shown.colours[sample.dataset.colour] = getComputedStyle(sample).backgroundColor;
	}
	const style = getComputedStyle(picture);
	Object.assign(shown.colours, { ink: style.color, paper: style.backgroundColor, rule: style.borderTopColor, accent: style.outlineColor });
	shown.font = style.fontFamily;
}

function draw() {
	if (!shown.trace || !picture.clientWidth) return;
	const scale = devicePixelRatio || 1;
	picture.width = picture.clientWidth * scale;
	picture.height = shown.height * scale;
	brush.setTransform(scale, 0, 0, scale, 0, 0);
	readColours();
	brush.fillStyle = shown.colours.paper;
	brush.fillRect(0, 0, picture.clientWidth, shown.height);
	brush.save();
	brush.beginPath();
	brush.rect(gutter(), 0, width(), shown.height);
	brush.clip();
	drawAxis();
	drawGaps();
	for (const row of shown.rows) drawRow(row);
	drawArrows();
	outline(shown.hovered, 1);
	outline(shown.chosen, 2);
	brush.restore();
	drawTitles();
}

function text(string, x, y, size, colour, align = "left") {
	brush.font = `${size}px ${shown.font}`;
	brush.fillStyle = colour;
	brush.textAlign = align;
	brush.textBaseline = "middle";
	brush.fillText(string, x, y);
}

function drawAxis() {
	const least = span() * 90 / width(), ten = 10 ** Math.floor(Math.log10(least)); // a label takes its room
	const step = [1, 2, 5, 10].map((n) => n * ten).find((ticks) => ticks >= least);
	for (let t = Math.ceil(Math.max(shown.from, 0) / step) * step; t < shown.to; t += step) {
		brush.fillStyle = shown.colours.rule;
		brush.fillRect(xOf(t), axis - 6, 1, shown.height);
		text(ticks(t), xOf(t) + 3, axis / 2, 11, shown.colours.ink);
	}
}

// Ticks that the file leaves out: a stripe, and how many.
function drawGaps() {
	for (const g of shown.trace.gaps) {
		const x = xOf(g.from), w = xOf(g.to) - x;
		hatch(x, axis - 4, w, shown.height - axis, shown.colours.rule, 7);
		const label = `${g.name.split(" ")[0]} left out`;
		brush.font = `10px ${shown.font}`;
		if (brush.measureText(label).width < w - 4) text(label, x + w / 2, axis + 3, 10, shown.colours.ink, "center");
	}
}

function hatch(x, y, w, h, colour, every) {
	brush.save();
	brush.beginPath();
	brush.rect(x, y, w, h);
	brush.clip();
	brush.strokeStyle = colour;
	brush.lineWidth = 1;
	brush.beginPath();
	const left = Math.max(x, gutter()), right = Math.min(x + w, picture.clientWidth);
	for (let at = Math.floor((left - h) / every) * every; at < right; at += every) {
		brush.moveTo(at, y + h);
		brush.lineTo(at + h, y);
	}
	brush.stroke();
	brush.restore();
}

function drawRow(row) {
	const { colours } = shown;
	for (const s of row.slices) {
		if (s.to < shown.from || s.from > shown.to) continue;
		const x = xOf(s.from), w = Math.max(xOf(s.to) - x, 1), y = row.y + 1, h = row.height - 2;
		if (s.kind === "wait") {
			brush.fillStyle = colours.wait;
			brush.fillRect(x, y + h / 2 - 2, w, 4);
		} else if (s.kind === "work") {
			brush.fillStyle = colours.work;
			brush.fillRect(x, y, w, h);
		} else if (s.kind === "instruction") {
			brush.fillStyle = colours.instruction;
			brush.fillRect(x, y + h / 4, w, h / 2);
		} else if (s.kind === "mbarrier" && s.depth === 0) {
			brush.fillStyle = s.args.parity ? colours.odd : colours.even;
			brush.fillRect(x, y, w, h);
			brush.fillStyle = colours.paper;
			brush.fillRect(x, y, 1, h);
		} else if (s.kind === "mbarrier") {
			hatch(x, y, w, h, colours.ink, 5);
		} else {
			brush.fillStyle = colours[row.kind] ?? colours.work;
			brush.fillRect(x, y, w, s.depth ? h / 2 : h);
			if (row.kind === "load") hatch(x, y, w, h, colours.paper, 5);
		}
	}
	for (const s of row.slices) if (s.to > shown.from && s.from < shown.to) label(s);
}

// label writes a slice's name on it where there is room.
function label(s) {
	const x = xOf(s.from), w = xOf(s.to) - x;
	if (w < 15 || s.row.height < 13 || s.kind === "instruction" || s.kind === "wait" || s.row.kind === "mbarrier" && s.depth) return;
	const from = Math.max(x, gutter()) + 3, room = Math.min(x + w, picture.clientWidth) - from - 3;
	if (room < 12) return;
	const name = s.row.kind === "mbarrier" ? s.name.replace("phase ", "") : s.name;
	brush.font = `10px ${shown.font}`;
	const fits = [name, name.split(",")[0]].find((n) => brush.measureText(n).width <= room);
	if (!fits) return;
	if (s.row.kind === "mbarrier") { // its hatch would cross the letters
		brush.fillStyle = s.args.parity ? shown.colours.odd : shown.colours.even;
		brush.fillRect(from - 2, s.row.y + 1, brush.measureText(fits).width + 4, s.row.height - 2);
	}
	text(fits, from, s.row.y + s.row.height / 2 + 0.5, 10, s.row.kind === "wgmma" ? shown.colours.paper : shown.colours.ink);
}

// Arrows: all while they can be told apart, and those of the slice that is
// pointed at or chosen always.
const most = 80;
function drawArrows() {
	const seen = (a) => a.from.row.middle !== null && a.to.row.middle !== null && a.end > shown.from && a.at < shown.to;
	const mine = new Set([shown.chosen, shown.hovered].filter(Boolean).flatMap((s) => [...s.comes, ...s.goes]).filter(seen));
	const others = shown.trace.arrows.filter((a) => a.from.row.y !== null && a.to.row.y !== null && seen(a) && !mine.has(a));
	if (others.length <= most) for (const a of others) arrow(a, mine.size ? 0.15 : 0.5, 1);
	for (const a of mine) arrow(a, 1, 2);
}

function arrow(a, opacity, thick) {
	const x1 = xOf(a.at), y1 = a.from.row.middle, x2 = xOf(a.end), y2 = a.to.row.middle;
	const bend = Math.min(Math.max((x2 - x1) / 2, 8), 60);
	brush.globalAlpha = opacity;
	brush.strokeStyle = brush.fillStyle = shown.colours[a.name === "starts" ? "starts" : "ends"];
	brush.lineWidth = thick;
	brush.setLineDash(a.name === "starts" ? [3, 3] : []);
	brush.beginPath();
	brush.moveTo(x1, y1);
	brush.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
	brush.stroke();
	brush.setLineDash([]);
	brush.beginPath();
	brush.moveTo(x2 + 1, y2);
	brush.lineTo(x2 - 6, y2 - 3.5);
	brush.lineTo(x2 - 6, y2 + 3.5);
	brush.fill();
	brush.globalAlpha = 1;
}

function outline(s, thick) {
	if (!s || s.row.y === null) return;
	brush.strokeStyle = shown.colours.ink;
	brush.lineWidth = thick;
	brush.strokeRect(xOf(s.from) - thick / 2, s.row.y + 0.5, Math.max(xOf(s.to) - xOf(s.from), 2) + thick, s.row.height - 1);
}

function drawTitles() {
	const { ink } = shown.colours;
	for (const b of shown.bands) {
		const title = (many() ? `${rank(b.rows[0])}: ` : "") + b.title + (b.alike.length ? `, 1 of ${b.numbers.size} warps` : "");
		if (!gutter()) {
			text(title, 2, b.y + 6, 11, ink);
			continue;
		}
		const named = b.kind === "mbarrier" && b.rows.length > 1;
		text(title, 2, named || b.rows.length === 1 ? b.rows[0].y + b.rows[0].height / 2 : (b.y + b.end) / 2, 12, ink);
		if (named) b.rows.forEach((row) => text(row.name.replace(/^(full|empty|mbarrier)(, | )?/, ""), gutter() - 6, row.y + row.height / 2, 10, ink, "right"));
	}
	if (shown.row >= 0) {
		const row = shown.rows[shown.row];
		brush.fillStyle = shown.colours.accent;
		brush.fillRect(Math.max(gutter() - 3, 0), row.y, 3, row.height);
	}
}
