// The button of the login page that signs in with a passkey.
const button = document.querySelector("button[data-passkey]");
const message = document.querySelector("[data-passkey-message]");
const next = document.querySelector('input[name="next"]');
const path = button.dataset.passkey;
// The site may be served below a path; all its addresses start with it.
const base = new URL(import.meta.url).pathname.slice(0, -button.dataset.src.length);

// Browsers that can add a passkey in the panel have this, too.
if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) button.hidden = false;
button.addEventListener("click", () => void signIn());

async function signIn() {
  message.hidden = true;
  button.disabled = true;
  try {
    const options = await send(`${path}/options`, {});
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    const { location: page } = await send(path, {
      response: credential.toJSON(),
      next: next.value,
    });
    location.assign(base + page);
  } catch (error) {
    // Cancelled by the person: there is nothing to say.
    message.textContent = error.name === "NotAllowedError" ? "" : error.message;
    message.hidden = message.textContent === "";
    button.disabled = false;
  }
}

async function send(address, body) {
  const response = await fetch(base + address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
