// Keeps the part of the page that changes as the hub has it.

const part = document.getElementById("part");
const said = document.getElementById("said");
let last;

function listen() {
  const source = new EventSource(part.dataset.source);
  source.onmessage = (event) => {
    said.textContent = "";
    if (event.data === last) return;
    last = event.data;
    // What a judge has begun to write outlives what is told meanwhile.
    const written = new Map([...part.querySelectorAll("input[id]")].map((one) => [one.id, one.value]));
    const writing = part.contains(document.activeElement) ? document.activeElement.id : "";
    const open = [...part.querySelectorAll("details[open] summary")].map((one) => one.textContent);
    const focused = part.contains(document.activeElement) ? document.activeElement.href : null;
    part.innerHTML = event.data;
    for (const one of part.querySelectorAll("details")) {
      one.open = open.includes(one.querySelector("summary").textContent);
    }
    for (const one of part.querySelectorAll("input[id]")) one.value = written.get(one.id) ?? one.value;
    if (writing) document.getElementById(writing)?.focus();
    if (focused) [...part.querySelectorAll("a")].find((one) => one.href === focused)?.focus();
  };
  source.onerror = () => {
    said.textContent = said.dataset.lost;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

if (part?.dataset.source) listen();
