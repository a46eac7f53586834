package emu

// unsupported refuses a form, of an opcode that the emulator knows otherwise.
func (c *compiler) unsupported() op {
	return c.failf("the emulator does not know %s; it has other forms of %s: use one of those, or run the kernel on a GPU", c.in.Name(), c.in.Op)
}

// unknown refuses an instruction whose opcode has no family.
func (c *compiler) unknown() op {
	return c.failf("the emulator does not know %s; %s", c.in.Name(), instead(c.in.Op))
}

// instead says what to do without an instruction.
func instead(op string) string {
	switch op {
	case "tex", "tld4", "txq", "istypep", "suld", "sust", "sured", "suq":
		return "it has no texture unit: read and write through pointers"
	case "tcgen05", "clusterlaunchcontrol":
		return "that is an instruction of Blackwell, not of Hopper (sm_90a): use wgmma, and a loop over tiles"
	case "multimem":
		return "it is one GPU: reduce in the kernel or over a cluster"
	case "alloca", "stacksave", "stackrestore":
		return "its threads have no stack: give local arrays a fixed size"
	}
	return "write it with other instructions, or run the kernel on a GPU"
}
