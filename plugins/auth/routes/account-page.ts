/** The page of an account, for themes without a template for it. */
import { escapeHtml } from "#kernel";
import type { AccountTemplateProps } from "../../render/contract.js";

/** Content of the page. */
export type AccountPage = Pick<
  AccountTemplateProps,
  "account" | "isStored" | "sessions" | "passkeys" | "fates" | "isFresh" | "csrf" | "message"
>;

/** HTML of the page's content. */
export function accountBody(page: AccountPage): string {
  const { account, sessions, passkeys, fates, isFresh, csrf, message } = page;
  const hidden = `<input type="hidden" name="_csrf" value="${escapeHtml(csrf)}">`;
  const form = (action: string, fields: string, button: string): string =>
    `<form method="post" action="${action}">${hidden}${fields}<button type="submit">${button}</button></form>`;
  const rows = sessions.map(({ id, device, seen, isCurrent }) => {
    const field = `<input type="hidden" name="id" value="${escapeHtml(id)}">`;
    const end = isCurrent ? "" : form("/auth/account/sessions", field, "End this session");
    return `<li>${escapeHtml(device)}, ${escapeHtml(seen)}${end}</li>`;
  });
  const keys = (passkeys?.items ?? []).map(({ id, name }) => {
    const field = `<input type="hidden" name="id" value="${escapeHtml(id)}">`;
    return `<li>${escapeHtml(name)}${form("/auth/account/passkeys/remove", field, "Remove")}</li>`;
  });
  const lines = fates.flatMap(({ deleted, kept }) => [
    ...(deleted === null ? [] : [`<li>Deleted: ${escapeHtml(deleted)}</li>`]),
    ...(kept === null ? [] : [`<li>Kept: ${escapeHtml(kept)}</li>`]),
  ]);
  const name = `<label for="name">Name</label> <input id="name" name="name" value="${escapeHtml(account.name ?? "")}">`;
  return [
    "<h1>Your account</h1>",
    message === null ? "" : `<p role="status">${MESSAGES[message] ?? "Done."}</p>`,
    `<p>${escapeHtml(account.email)}</p>`,
    form("/auth/account", name, "Save"),
    `<h2>Sessions</h2><ul>${rows.join("")}</ul>`,
    passkeys === null ? "" : `<h2>Passkeys</h2><ul>${keys.join("")}</ul>${morePasskeys(page)}`,
    '<h2>Your data</h2><p><a href="/auth/account/data" download>Download your data</a></p>',
    `<h2>Delete the account</h2><ul>${lines.join("")}</ul>`,
    isFresh
      ? form("/auth/account/delete", "", "Delete the account for good")
      : form("/auth/account/again", "", "Log in again to delete the account"),
  ].join("");
}

const MESSAGES: Readonly<Record<string, string>> = {
  saved: "Your account was changed.",
  revoked: "The session was ended.",
  passkey_added: "The passkey was added.",
  passkey_renamed: "The passkey was renamed.",
  passkey_removed: "The passkey was removed.",
};

/** The form that adds a passkey, or what is needed for it. Hidden without JavaScript. */
function morePasskeys({ passkeys, sessions, isFresh, csrf }: AccountPage): string {
  if (passkeys === null) return "";
  const { obstacle, isFull, script } = passkeys;
  if (obstacle !== null) {
    const needed = obstacle === "address" ? "a site with a name" : "a site with https";
    return `<p>Passkeys need ${needed}.</p>`;
  }
  if (isFull) return "<p>No more passkeys fit: remove one first.</p>";
  const hidden = `<input type="hidden" name="_csrf" value="${escapeHtml(csrf)}">`;
  if (!isFresh) {
    const button = '<button type="submit">Log in again to add a passkey</button>';
    return `<form method="post" action="/auth/account/again">${hidden}${button}</form>`;
  }
  const device = sessions.find(({ isCurrent }) => isCurrent)?.device ?? "";
  return [
    "<noscript><p>Adding a passkey needs JavaScript.</p></noscript>",
    '<form data-passkey-add hidden data-failed="The passkey could not be added."',
    ` data-locked="Too many attempts. Please wait a few minutes.">${hidden}`,
    '<label for="passkey-name">Name of the passkey</label> ',
    `<input id="passkey-name" name="name" required maxlength="100" value="${escapeHtml(device)}">`,
    '<p role="alert" hidden></p><button type="submit">Add a passkey</button></form>',
    script === null ? "" : `<script type="module" src="${escapeHtml(script)}"></script>`,
  ].join("");
}
