// Keeps the part of the page that changes as the hub has it.

const part = document.getElementById("part");
const said = document.getElementById("said");

function listen() {
  const source = new EventSource(part.dataset.source);
  source.onmessage = (event) => {
    said.textContent = "";
    const open = [...part.querySelectorAll("details[open] summary")].map((one) => one.textContent);
    const focused = part.contains(document.activeElement) ? document.activeElement.href : null;
    part.innerHTML = event.data;
    for (const one of part.querySelectorAll("details")) {
      one.open = open.includes(one.querySelector("summary").textContent);
    }
    if (focused) [...part.querySelectorAll("a")].find((one) => one.href === focused)?.focus();
  };
  source.onerror = () => {
    said.textContent = said.dataset.lost;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

if (part) listen();
