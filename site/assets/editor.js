// A textarea with line numbers and marked lines. The text itself stays an
// ordinary textarea, so keys, selection and screen readers work as they do
// anywhere.
"use strict";

// A place is {line, column, kind, moved}: line and column from 1, a kind that
// the style knows, and what is called when the line has changed. The editor
// moves its places when lines are put in or taken out before them; one whose
// line is gone moves to where that was.
class Editor {
	constructor(area) {
		this.area = area;
		this.places = [];
		this.lines = [""];
		const layer = (name) => {
			const box = document.createElement("div"), inner = document.createElement("div");
			box.className = name;
			box.setAttribute("aria-hidden", "true"); // what it shows is said in the results
			box.append(inner);
			area.before(box);
			return inner;
		};
		this.stripes = layer("stripes");
		this.numbers = layer("numbers");
		area.addEventListener("input", () => this.refresh());
		area.addEventListener("scroll", () => {
			for (const inner of [this.stripes, this.numbers]) inner.style.transform = `translateY(${-area.scrollTop}px)`;
		});
		this.refresh();
	}

	get text() { return this.area.value; }

	// set replaces the text; places in the old one mean nothing then.
	set(text) {
		this.mark([]);
		this.area.value = text;
		this.area.scrollTop = 0;
		this.refresh();
	}

	// refresh follows the text.
	refresh() {
		const old = this.lines;
		this.lines = this.area.value.split("\n");
		if (this.places.length) this.move(old);
		if (old.length !== this.lines.length || !this.numbers.textContent) {
			this.numbers.textContent = this.lines.map((_, i) => i + 1).join("\n");
		}
	}

	move(old) {
		const now = this.lines, most = Math.min(old.length, now.length);
		let head = 0, tail = 0;
		while (head < most && old[head] === now[head]) head++;
		while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
		for (const place of this.places) {
			const was = place.line;
			if (place.line > old.length - tail) place.line += now.length - old.length;
			else if (place.line > head) place.line = Math.max(1, Math.min(place.line, now.length - tail));
			if (place.line !== was) place.moved?.();
		}
		this.draw();
	}

	// mark shows places.
	mark(places) {
		this.places = places;
		this.draw();
	}

	draw() {
		this.stripes.replaceChildren(...this.places.map((place) => {
			const stripe = document.createElement("div");
			stripe.className = `stripe ${place.kind}${place.current ? " current" : ""}`;
			stripe.style.setProperty("--line", place.line - 1);
			return stripe;
		}));
	}

	// reveal brings a place into view and selects its line, from its column on.
	reveal(place) {
		if (!this.places.includes(place)) this.places = [...this.places, place];
		for (const p of this.places) p.current = p === place;
		this.draw();
		const before = this.lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
		if (!matchMedia("(pointer: coarse)").matches) this.area.focus({ preventScroll: true }); // else a keyboard would cover it
		const length = (this.lines[place.line - 1] ?? "").length;
		this.area.setSelectionRange(before + Math.min(length, (place.column ?? 1) - 1), before + length);
		const height = parseFloat(getComputedStyle(this.area).lineHeight);
		this.area.scrollTop = (place.line - 1) * height - this.area.clientHeight / 2;
		this.area.scrollLeft = 0;
		this.area.scrollIntoView({ block: "nearest" });
	}
}
