// Keeps the program of the figures running. A message is a line of its input,
// and every line that it writes is a message. The first message is its module.
let input = new Uint8Array(); // that it has not read
let reader = null; // what it waits for
let output = "";
const decoder = new TextDecoder();

function feed() {
	if (!reader || !input.length) return;
	const { buffer, offset, length, done } = reader;
	const part = input.subarray(0, length);
	reader = null;
	buffer.set(part, offset);
	input = input.subarray(part.length);
	done(null, part.length);
}

globalThis.fs.read = (fd, buffer, offset, length, position, done) => {
	reader = { buffer, offset, length, done };
	feed();
};

globalThis.fs.writeSync = (fd, bytes) => {
	output += decoder.decode(bytes, { stream: true });
	const lines = output.split("\n");
	output = lines.pop();
	for (const line of lines) postMessage(fd === 1 ? { line } : { error: line });
	return bytes.length;
};

async function start(module) {
	const program = new Go();
	program.argv = ["figures"];
	program.exit = (code) => postMessage({ error: "it ended with status " + code });
	try {
		await program.run(await WebAssembly.instantiate(module, program.importObject));
	} catch (error) {
		postMessage({ error: String(error) });
	}
}

onmessage = ({ data }) => {
	if (data instanceof WebAssembly.Module) {
		start(data);
		return;
	}
	const line = new TextEncoder().encode(data + "\n");
	const longer = new Uint8Array(input.length + line.length);
	longer.set(input);
	longer.set(line, input.length);
	input = longer;
	feed();
};
