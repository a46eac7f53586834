// Reads a timeline that a lesson has written, in the Trace Event format, into
// rows of slices with the arrows between them. It draws nothing.
"use strict";

// What a row shows, by the category of its slices.
const rowKinds = { work: "warp", wait: "warp", instruction: "warp", mbarrier: "mbarrier", "TMA load": "load", "TMA store": "store", wgmma: "wgmma" };

// readTrace makes {about, ctas, rows, gaps, arrows, end} of a file's text. It
// throws what is wrong with the file in a sentence.
function readTrace(text) {
	const file = JSON.parse(text);
	if (!file.otherData?.format?.startsWith("gohopper timeline ")) throw new Error("it is not a timeline of a lesson");
	const trace = { about: file.otherData, ctas: [], rows: [], gaps: [], arrows: [], end: 0 };
	const rows = new Map(), flows = new Map();
	for (const e of file.traceEvents) {
		if (e.ph === "M" && e.name === "process_name") trace.ctas.push({ id: e.pid, name: e.args.name });
		if (e.ph === "M" && e.name === "thread_name") {
			const row = { cta: e.pid, id: e.tid, name: e.args.name, kind: "other", slices: [] };
			rows.set(e.tid, row);
			trace.rows.push(row);
		}
		if (e.ph === "X") {
			const row = rows.get(e.tid);
			row.slices.push({ row, name: e.name, kind: e.cat, from: e.ts, to: e.ts + e.dur, args: e.args ?? {}, depth: 0, comes: [], goes: [] });
			trace.end = Math.max(trace.end, e.ts + e.dur);
		}
		if (e.ph === "s") flows.set(e.id, { name: e.name, row: rows.get(e.tid), at: e.ts });
		if (e.ph === "f") Object.assign(flows.get(e.id), { to: rows.get(e.tid), end: e.ts });
	}
	trace.rows.forEach(nest);
	for (const f of flows.values()) connect(trace, f);
	trace.gaps = trace.rows.filter((r) => r.slices[0]?.kind === "left out").flatMap((r) => r.slices);
	trace.rows = trace.rows.filter((r) => r.slices.length && r.slices[0].kind !== "left out");
	if (!trace.rows.length) throw new Error("nothing was recorded in it");
	return trace;
}

// nest says how deep each slice of a row lies in others.
function nest(row) {
	const open = [];
	row.slices.sort((a, b) => a.from - b.from || b.to - a.to);
	for (const s of row.slices) {
		while (open.length && open.at(-1).to <= s.from) open.pop();
		s.depth = open.length;
		open.push(s);
	}
	row.kind = rowKinds[row.slices[0]?.kind] ?? "other";
}

// connect finds the slices at the ends of an arrow. An arrow stands a quarter
// of a tick inside of each: what completes at its end, what waits around it.
function connect(trace, f) {
	if (!f.to) return;
	const around = (row, at) => row.slices.filter((s) => s.from <= at && at <= s.to);
	const nearest = (list, distance) => list.reduce((best, s) => (!best || distance(s) < distance(best) ? s : best), null);
	const from = nearest(around(f.row, f.at), f.name === "starts" ? (s) => s.to - s.from : (s) => Math.abs(s.to - f.at - 0.25));
	const ends = around(f.to, f.end);
	const to = f.name === "starts" ? nearest(ends, (s) => s.depth) : nearest(ends.filter((s) => s.kind === "wait"), (s) => s.to - s.from) ?? ends[0];
	if (!from || !to) return;
	const arrow = { name: f.name, from, to, at: f.at, end: f.end };
	from.goes.push(arrow);
	to.comes.push(arrow);
	trace.arrows.push(arrow);
}

// share is the part of the whole that slices cover, overlaps once.
function share(trace, slices) {
	let covered = 0, end = 0;
	for (const s of slices) {
		covered += Math.max(0, s.to - Math.max(s.from, end));
		end = Math.max(end, s.to);
	}
	return covered / trace.end;
}

// shares says how busy a row is, and how much of it is waiting. An mbarrier is
// busy while something has arrived and something is missing.
function shares(trace, row) {
	const inner = row.kind === "mbarrier" ? 1 : 0;
	return {
		busy: share(trace, row.slices.filter((s) => s.kind !== "wait" && s.depth === inner)),
		waits: share(trace, row.slices.filter((s) => s.kind === "wait")),
	};
}

// longestWaits is the waits of some rows, the longest first.
const longestWaits = (rows, count) => rows.flatMap((r) => r.slices).filter((s) => s.kind === "wait")
	.sort((a, b) => (b.to - b.from) - (a.to - a.from)).slice(0, count);

// A warp is known by its role and number: "consumer warpgroup 0, warp 2".
const warpOf = (row) => row.name.match(/^(?:(.*), )?(?:(.*) )?warp (\d+)(?:, (other lanes))?/);

// bandsOf puts rows together that belong together. Of warps of one role the
// first stands for all, and the others are its band's alike, unless every one
// is asked for.
function bandsOf(trace, ctas, everyWarp) {
	const bands = [];
	const band = (key, title, kind) => {
		let b = bands.find((b) => b.key === key);
		if (!b) bands.push(b = { key, title, kind, rows: [], alike: [] });
		return b;
	};
	for (const row of trace.rows.filter((r) => ctas.has(r.cta))) {
		const of = row.cta + " ";
		if (row.kind === "warp") {
			const [, group, role, number, aside] = warpOf(row) ?? [];
			const owner = bands.find((b) => b.numbers?.has(row.cta + " " + number));
			const title = group ?? (role ? `${role} warp ${number}` : `warp ${number}`);
			const b = aside && owner ? owner : band(of + (group ?? role ?? "warps"), title, "warp");
			b.numbers ??= new Set();
			b.first ??= number;
			if (!aside) b.numbers.add(row.cta + " " + number);
			(everyWarp || number === b.first ? b.rows : b.alike).push(row);
			continue;
		}
		const ring = row.name.match(/^(full|empty)\b/)?.[1];
		const title = { load: "TMA loads", store: "TMA stores", mbarrier: ring ?? "mbarriers", wgmma: row.name.replace(/, next group$/, "") }[row.kind] ?? row.name;
		band(of + title, title, row.kind).rows.push(row);
	}
	return bands;
}
