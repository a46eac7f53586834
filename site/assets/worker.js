// One run of a lesson's program. The page ends a run by ending this worker.
//
// The program may write files: they are kept here, and the page is handed the
// one that it asked for. Only what Go's package os needs for that is there.
const files = new Map(); // contents by name
const opened = new Map(); // by descriptor: the name, and how far it has been read
const plain = (name) => name.replace(/^(\.\/)+/, "");
const failed = (code) => Object.assign(new Error(code), { code });

function memory(fs) {
	const CREATE = 64, EXCLUSIVE = 128, TRUNCATE = 512;
	const { write } = fs;
	let next = 3;
	Object.assign(fs, {
		constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: CREATE, O_EXCL: EXCLUSIVE, O_TRUNC: TRUNCATE, O_APPEND: 1024, O_DIRECTORY: 65536 },
		open(name, flags, mode, done) {
			name = plain(name);
			if (!files.has(name) && !(flags & CREATE)) return done(failed("ENOENT"));
			if (files.has(name) && flags & EXCLUSIVE) return done(failed("EEXIST"));
			if (!files.has(name) || flags & TRUNCATE) files.set(name, new Uint8Array());
			opened.set(next, { name, at: 0 });
			done(null, next++);
		},
		write(fd, bytes, offset, length, position, done) {
			const file = opened.get(fd);
			if (!file) return write.call(fs, fd, bytes, offset, length, position, done); // output
			const old = files.get(file.name), grown = new Uint8Array(old.length + length);
			grown.set(old);
			grown.set(bytes.subarray(offset, offset + length), old.length);
			files.set(file.name, grown);
			done(null, length);
		},
		read(fd, buffer, offset, length, position, done) {
			const file = opened.get(fd);
			if (!file) return done(failed("EBADF"));
			const part = files.get(file.name).subarray(file.at, file.at + length);
			buffer.set(part, offset);
			file.at += part.length;
			done(null, part.length);
		},
		close(fd, done) { done(opened.delete(fd) ? null : failed("EBADF")); },
		fchmod(fd, mode, done) { done(null); },
		rename(from, to, done) {
			if (!files.has(plain(from))) return done(failed("ENOENT"));
			files.set(plain(to), files.get(plain(from)));
			files.delete(plain(from));
			done(null);
		},
		unlink(name, done) { done(files.delete(plain(name)) ? null : failed("ENOENT")); },
	});
}
memory(globalThis.fs);

onmessage = async ({ data: { module, argv, wanted, input } }) => {
	if (input !== undefined) { // what the program reads from its standard input
		files.set("input", new TextEncoder().encode(input));
		opened.set(0, { name: "input", at: 0 });
	}
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
		const file = files.get(wanted);
		if (file) postMessage({ file }, [file.buffer]);
		postMessage({ status });
	} catch (error) {
		postMessage({ error: String(error) });
	}
};
