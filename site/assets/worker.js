// One run of a lesson's program. The page ends a run by ending this worker.
onmessage = async ({ data: { module, argv } }) => {
	const decoder = new TextDecoder();
	globalThis.fs.writeSync = (fd, bytes) => {
		postMessage({ text: decoder.decode(bytes, { stream: true }) });
		return bytes.length;
	};
	const program = new Go();
	program.argv = argv;
	let status = 0;
	program.exit = (code) => { status = code; };
	try {
		await program.run(await WebAssembly.instantiate(module, program.importObject));
		postMessage({ status });
	} catch (error) {
		postMessage({ error: String(error) });
	}
};
