// Keeps the display as the case has it, sends presses without leaving, looks through the camera.

const part = document.getElementById("part");
const said = document.getElementById("said");
const camera = document.getElementById("camera");

if (part) {
  const source = new EventSource("/host/events");
  source.onmessage = (event) => {
    part.innerHTML = event.data;
    if (said.textContent === said.dataset.lost) said.textContent = "";
  };
  source.onerror = () => {
    said.textContent = said.dataset.lost;
    // The pages change when a game begins or ends: look again soon.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 2000);
  };
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (new URL(form.action).pathname !== "/host/press") return;
  event.preventDefault();
  const sent = new URLSearchParams(new FormData(form, event.submitter));
  form.querySelector("[name=held]").checked = false;
  const reply = await fetch(form.action, { method: "POST", body: sent }).catch(() => null);
  if (!reply?.ok) said.textContent = said.dataset.lost;
});

setInterval(() => {
  if (!camera?.open || document.visibilityState !== "visible") return;
  const img = camera.querySelector("img");
  img.src = `${img.dataset.src}?${Date.now()}`;
}, 1000);
