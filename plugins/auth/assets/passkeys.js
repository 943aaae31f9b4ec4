// Passkeys of visitors: logs in on the login page, adds one on the account page. Without it, the other
// ways to log in stay.
const login = document.querySelector("[data-passkey-login]");
const adding = document.querySelector("[data-passkey-add]");
// The site may be served below a path, which its addresses begin with.
const base = new URL(import.meta.url).pathname.replace(/\/auth\/.*$/, "");
const isPossible = "PublicKeyCredential" in window;
// Shorter than a challenge lives.
const RENEW_MS = 240_000;
let waiting = null;

if (login && isPossible) {
  login.hidden = false;
  document.querySelector("[data-passkey-needed]")?.remove();
  login.querySelector("button").addEventListener("click", () => void logIn(login, {}));
  void offerInField(login);
}
if (adding && isPossible) {
  adding.hidden = false;
  adding.addEventListener("submit", (event) => {
    event.preventDefault();
    void add(adding);
  });
}

// Browsers offer the passkeys in the field for the address, without a click on a button.
async function offerInField(place) {
  const { isConditionalMediationAvailable: isAvailable } = PublicKeyCredential;
  const field = document.querySelector('input[autocomplete~="webauthn"]');
  if (!field || !(await isAvailable?.call(PublicKeyCredential))) return;
  setTimeout(() => waiting !== null && void offerInField(place), RENEW_MS);
  void logIn(place, { mediation: "conditional" });
}

async function logIn(place, { mediation }) {
  waiting?.abort();
  const own = new AbortController();
  waiting = own;
  const button = place.querySelector("button");
  button.disabled = mediation === undefined;
  say(place, "");
  try {
    const { challenge, ...options } = await send("/auth/passkeys/login/options", {});
    if (own.signal.aborted) return;
    const publicKey = { ...options, challenge: decoded(challenge) };
    const credential = await navigator.credentials.get({
      publicKey,
      signal: own.signal,
      ...(mediation && { mediation }),
    });
    // A second login would renew the session of the page that the first one opens.
    if (own.signal.aborted) return;
    button.disabled = true;
    const { location: page } = await send("/auth/passkeys/login", {
      response: signed(credential),
      next: place.dataset.next,
    });
    waiting = null;
    location.assign(base + page);
  } catch (error) {
    if (waiting === own) waiting = null;
    button.disabled = false;
    // Options that did not come for the field are not the visitor's business.
    if (mediation === undefined || error instanceof Failed) fail(place, error);
  }
}

async function add(form) {
  const button = form.querySelector("button");
  const { _csrf, name } = Object.fromEntries(new FormData(form));
  button.disabled = true;
  say(form, "");
  try {
    const options = await send("/auth/passkeys/options", { _csrf });
    const credential = await navigator.credentials.create({ publicKey: creation(options) });
    await send("/auth/passkeys", { _csrf, name, response: created(credential) });
    location.assign(`${base}/auth/account?message=passkey_added`);
  } catch (error) {
    button.disabled = false;
    fail(form, error);
  }
}

// Cancelled by the visitor: there is nothing to say.
function fail(place, { name, status }) {
  if (name === "NotAllowedError" || name === "AbortError") return;
  const { failed, locked } = place.dataset;
  say(place, status === 429 ? locked : failed);
}

function say(place, text) {
  const message = place.querySelector("[role=alert]");
  message.textContent = text;
  message.hidden = text === "";
}

class Failed extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function send(address, body) {
  const response = await fetch(base + address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Failed(response.status, answer.error);
  return answer;
}

function creation({ challenge, user, excludeCredentials = [], ...options }) {
  return {
    ...options,
    challenge: decoded(challenge),
    user: { ...user, id: decoded(user.id) },
    excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: decoded(one.id) })),
  };
}

function created({ id, response }) {
  const { clientDataJSON, attestationObject } = response;
  return {
    id,
    response: {
      clientDataJSON: encoded(clientDataJSON),
      attestationObject: encoded(attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

function signed({ id, response }) {
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
