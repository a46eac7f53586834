// Questions: the folded choices of each become a list to choose from. A click
// is an answer; with the keyboard the arrows choose and Enter answers, since a
// choice that is only passed is none.
"use strict";

for (const [n, quiz] of document.querySelectorAll(".quiz").entries()) {
	const form = document.createElement("form");
	const list = document.createElement("fieldset");
	const verdict = document.createElement("span");
	const button = document.createElement("button");
	form.className = "choices";
	verdict.setAttribute("role", "status");
	button.textContent = "Check";
	list.setAttribute("aria-labelledby", quiz.closest(".row").querySelector("h3").id); // the question

	const answer = (choice, folded) => {
		const right = folded.classList.contains("right");
		choice.classList.add(right ? "right" : "wrong");
		choice.querySelector(".why").hidden = false;
		verdict.textContent = right ? "Right" : "Wrong: read why, and choose again";
	};
	for (const [i, folded] of [...quiz.children].entries()) {
		const choice = document.createElement("div"), label = document.createElement("label");
		const radio = document.createElement("input"), why = document.createElement("div");
		choice.className = "choice";
		radio.type = "radio";
		radio.name = `question-${n}`;
		why.className = "why";
		why.id = `why-${n}-${i}`;
		why.hidden = true;
		radio.setAttribute("aria-describedby", why.id);
		const text = document.createElement("span");
		text.innerHTML = folded.querySelector("summary").innerHTML;
		why.append(...[...folded.children].slice(1).map((e) => e.cloneNode(true)));
		label.append(radio, text);
		choice.append(label, why);
		radio.addEventListener("click", (e) => { if (e.detail > 0) answer(choice, folded); });
		list.append(choice);
	}
	form.addEventListener("submit", (e) => {
		e.preventDefault();
		const at = [...list.children].findIndex((c) => c.querySelector("input").checked);
		if (at < 0) verdict.textContent = "Choose one first";
		else answer(list.children[at], quiz.children[at]);
	});
	const end = document.createElement("p");
	end.className = "buttons";
	end.append(button, verdict);
	form.append(list, end);
	quiz.after(form);
	quiz.hidden = true; // it stays for print
}
