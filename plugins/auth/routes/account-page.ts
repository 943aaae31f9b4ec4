/** The page of an account, for themes without a template for it. */
import { escapeHtml } from "#kernel";
import type { AccountTemplateProps } from "../../render/contract.js";

/** Content of the page. */
export type AccountPage = Pick<
  AccountTemplateProps,
  "account" | "isStored" | "sessions" | "passkeys" | "fates" | "isFresh" | "csrf" | "message"
>;

/** HTML of the page's content. */
export function accountBody({
  account,
  sessions,
  passkeys,
  fates,
  isFresh,
  csrf,
}: AccountPage): string {
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
    `<h1>Your account</h1><p>${escapeHtml(account.email)}</p>`,
    form("/auth/account", name, "Save"),
    `<h2>Sessions</h2><ul>${rows.join("")}</ul>`,
    keys.length === 0 ? "" : `<h2>Passkeys</h2><ul>${keys.join("")}</ul>`,
    '<h2>Your data</h2><p><a href="/auth/account/data" download>Download your data</a></p>',
    `<h2>Delete the account</h2><ul>${lines.join("")}</ul>`,
    isFresh
      ? form("/auth/account/delete", "", "Delete the account for good")
      : form("/auth/account/again", "", "Log in again to delete the account"),
  ].join("");
}
