// The theme is set before anything is drawn. Without a choice the system's
// preference holds, by the style alone.
"use strict";
try {
	const theme = localStorage.getItem("theme");
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
	// a browser may refuse to remember anything
}
