// The button of the login page that signs in with a passkey.
const button = document.querySelector("button[data-passkey]");
const message = document.querySelector("[data-passkey-message]");
const next = document.querySelector('input[name="next"]');
const path = button.dataset.passkey;

if ("PublicKeyCredential" in window) button.hidden = false;
button.addEventListener("click", () => void signIn());

async function signIn() {
  message.hidden = true;
  button.disabled = true;
  try {
    const { challenge, ...options } = await send(`${path}/options`, {});
    const publicKey = { ...options, challenge: decoded(challenge) };
    const credential = await navigator.credentials.get({ publicKey });
    const { location: page } = await send(path, {
      response: asJson(credential),
      next: next.value,
    });
    location.assign(page);
  } catch (error) {
    // Cancelled by the person: there is nothing to say.
    message.textContent = error.name === "NotAllowedError" ? "" : error.message;
    message.hidden = message.textContent === "";
    button.disabled = false;
  }
}

async function send(address, body) {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function asJson({ id, response }) {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    response: {
      clientDataJSON: encoded(clientDataJSON),
      authenticatorData: encoded(authenticatorData),
      signature: encoded(signature),
      userHandle: encoded(userHandle ?? new ArrayBuffer(0)),
    },
  };
}

function decoded(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function encoded(buffer) {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
