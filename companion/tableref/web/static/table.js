// Keeps the part of the page that changes as the server has it, and sends forms without leaving.
// Without it everything works by reloading.

const part = document.getElementById("part");
const said = document.getElementById("said");
const may = document.getElementById("may");
let source;
let at = ""; // the cell that the keys have come to

let touched = ""; // the cell whose piece shows where it may go

const named = (details) => details.id || details.querySelector("img")?.src;

function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  if (fresh.innerHTML === part.innerHTML) return; // nothing new: a finger may be on it
  const open = [...part.querySelectorAll("details[open]")].map(named);
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const chosen = new Map([...part.querySelectorAll("select")].map((one) => [one.name, one.value]));
  const cell = focused?.closest(".cell")?.dataset.cell;
  const key = focused && `${focused.name}=${focused.value}`;
  const unfolds = focused?.matches("summary") && named(focused.parentElement);
  part.replaceChildren(fresh.content);
  if (at) steer(at, Boolean(cell));
  for (const one of part.querySelectorAll("details")) {
    if (open.includes(named(one))) one.open = true;
    if (unfolds && unfolds === named(one)) one.querySelector("summary").focus();
  }
  for (const one of part.querySelectorAll("select")) {
    const value = chosen.get(one.name);
    if ([...one.options].some((option) => option.value === value)) one.value = value;
  }
  if (key) {
    [...part.querySelectorAll("button, select")].find((b) => `${b.name}=${b.value}` === key)?.focus();
  }
  if (touched) touch(touched);
}

function listen() {
  source?.close();
  source = new EventSource("/events");
  source.onmessage = (event) => {
    document.body.classList.remove("lost");
    show(event.data);
  };
  source.addEventListener("seated", () => location.reload());
  source.onerror = () => {
    document.body.classList.add("lost");
    said.textContent = part.dataset.lost;
    // A phone that slept, or a server that was started again: try until it is there.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
  source.onopen = () => {
    if (said.textContent === part.dataset.lost) said.textContent = "";
  };
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && source.readyState !== EventSource.OPEN) listen();
});

// A clock that runs counts down here; what it leads to the table says.
setInterval(() => {
  for (const clock of part.querySelectorAll("[data-runs]")) {
    const left = Math.max(0, clock.dataset.left - 1);
    clock.dataset.left = left;
    clock.querySelector("b").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.classList.toggle("late", left <= 10);
  }
}, 1000);

// One cell of the board is where Tab comes to; the arrow keys go on from there.
function steer(name, focus) {
  for (const cell of part.querySelectorAll(".cell[data-ways]")) {
    const here = cell.dataset.cell === name;
    cell.setAttribute("tabindex", here ? 0 : -1);
    if (here && focus) cell.focus();
  }
}

document.addEventListener("focusin", (event) => {
  const cell = event.target.closest?.(".cell[data-ways]");
  if (cell) at = cell.dataset.cell;
  for (const one of part.querySelectorAll("[data-cell]")) {
    one.classList.toggle("at", Boolean(cell?.matches(":focus-visible")) && one.dataset.cell === at);
  }
});

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.(".cell[data-ways]");
  if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
  const way = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].indexOf(event.key);
  const to = cell.dataset.ways.split(",")[way];
  if (to) steer(to, true);
  if (["Enter", " "].includes(event.key)) touch(cell.dataset.cell);
  if (way >= 0 || ["Enter", " "].includes(event.key)) event.preventDefault();
});

// A cell that is touched shows where its piece may go.
document.addEventListener("click", (event) => {
  const name = event.target.closest?.(".board [data-cell]")?.dataset.cell;
  if (name) touch(name);
});

async function touch(name) {
  touched = name;
  const reply = await fetch(`/cells/${encodeURIComponent(name)}`).catch(() => null);
  const to = reply?.ok ? (await reply.json()).may : [];
  if (touched !== name) return; // another one was touched meanwhile
  if (!to.length) touched = "";
  for (const cell of part.querySelectorAll("[data-cell]")) {
    cell.classList.toggle("may", to.includes(cell.dataset.cell));
    cell.classList.toggle("from", cell.dataset.cell === name && to.length > 0);
  }
  may.textContent = to.length ? `${name} → ${to.join(", ")}` : "";
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || !["/say", "/answer", "/wish", "/agree", "/note", "/judge"].includes(new URL(form.action).pathname)) return;
  event.preventDefault();
  const sent = new URLSearchParams(new FormData(form, event.submitter));
  form.querySelector("#line")?.select(); // not once the reply is there: somebody may type by then
  try {
    const reply = await fetch(form.action, { method: "POST", body: sent });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const told = page.getElementById("said");
    said.replaceChildren(...(told ? told.children : [page.querySelector("main") ?? ""]));
  } catch {
    said.textContent = part.dataset.lost;
  }
});

listen();
