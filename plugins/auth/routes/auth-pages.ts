import type { Request, Response } from "express";
import { escapeHtml, type Answer } from "#kernel";
import type { AccountTemplateProps } from "../../render/contract.js";
import type { AuthContext } from "./auth-context.js";

/** Content of the login page. */
export interface LoginPage {
  status?: number;
  next?: string;
  /** A code: `denied`, `expired`, `failed`. */
  error?: string | null;
  /** A code: `sent`. */
  message?: string | null;
  headers?: Readonly<Record<string, string>>;
}
/** A page with one button. */
export interface ConfirmPage {
  title: string;
  text: string;
  button: string;
  action: string;
  method: "get" | "post";
  fields: Readonly<Record<string, string>>;
}

interface Ways {
  providers: readonly { name: string; label: string; url: string }[];
  magicLink: { enabled: boolean; action: string };
  passkeys: { script: string } | null;
}
interface LoginProps extends Ways {
  next: string;
  error: string | null;
  message: string | null;
  /** False: the browser drops the cookie of a login, because the page came over plain http. */
  keepsCookie: boolean;
}

const NOTES: Readonly<Record<string, string>> = {
  denied: "The login was cancelled.",
  expired: "The link has expired or was already used. Ask for a new one.",
  sent: "Check your mail: the link is on its way.",
};
const PLAIN_HTTP = "Browsers only stay logged in over https: open the site with https://.";
const FAILED = "That did not work. Please try again.";

/** The login pages, rendered by the theme where it has templates for them. */
export class AuthPages {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  /** Responds with the login page, with its error or message. */
  async login(req: Request, res: Response, page: LoginPage = {}): Promise<void> {
    const { next = "/", error = null, message = null, status = 200 } = page;
    const keepsCookie = this.#context.site.use("session").keepsCookie(req);
    const props = { ...this.#ways(), next, error, message, keepsCookie };
    const answer = await this.#themed(req, props, status, next);
    this.#send(req, res, {
      ...(answer ?? { type: HTML, status, body: this.#builtIn(req, props) }),
      headers: { ...answer?.headers, ...page.headers },
    });
  }

  /** Responds with the page of the own account. */
  async account(req: Request, res: Response, page: AccountPage): Promise<void> {
    const render = this.#context.site.use("render", { optional: true });
    const title = (t: (key: string, fallback: string) => string): string =>
      t("account.title", "Your account");
    const options = { title, cache: { private: true }, languageOf: "/" };
    const answer = await render?.renderTemplate(req, "auth/account", { ...page }, options);
    const builtIn = (): string => this.#document(req, "Your account", accountBody(page));
    this.#send(req, res, answer ?? { type: HTML, body: builtIn() });
  }

  /** Responds with a page with one button. */
  confirm(req: Request, res: Response, page: ConfirmPage): void {
    const fields = Object.entries(page.fields).map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    );
    const body = [
      `<h1>${escapeHtml(page.title)}</h1><p>${escapeHtml(page.text)}</p>`,
      `<form method="${page.method}" action="${escapeHtml(page.action)}">${fields.join("")}`,
      `<button type="submit">${escapeHtml(page.button)}</button></form>`,
    ].join("");
    this.#send(req, res, { type: HTML, body: this.#document(req, page.title, body) });
  }

  async #themed(
    req: Request,
    props: Readonly<Record<string, unknown>>,
    status: number,
    next: string,
  ): Promise<Answer | null> {
    const { site } = this.#context;
    const title = (t: (key: string, fallback: string) => string): string =>
      t("login.title", "Log in");
    // Use the language of the page the visitor came from.
    const options = { status, title, cache: { private: true }, languageOf: next };
    try {
      return (
        (await site
          .use("render", { optional: true })
          ?.renderTemplate(req, "auth/login", props, options)) ?? null
      );
    } catch (error) {
      site.log.error("auth.login_page_failed", { error: String(error) });
      return null;
    }
  }

  #ways(): Ways {
    const { providers, section, passkeys, users } = this.#context;
    return {
      providers: providers.map(({ slug, label }) => ({ name: slug, label, url: `/auth/${slug}` })),
      magicLink: {
        enabled: section.providers.magicLink?.enabled === true,
        action: "/auth/magic/send",
      },
      passkeys: passkeys === null || users.isStateless ? null : { script: passkeys.script.url },
    };
  }

  #builtIn(req: Request, props: LoginProps): string {
    const { providers, magicLink, passkeys, next, error, message, keepsCookie } = props;
    const query = next === "/" ? "" : `?next=${encodeURIComponent(next)}`;
    const links = providers.map(
      ({ url, label }) =>
        `<li><a href="${escapeHtml(url + query)}">Continue with ${escapeHtml(label)}</a></li>`,
    );
    const note = error ?? message;
    const role = error === null ? "status" : "alert";
    const body = [
      "<h1>Log in</h1>",
      note === null ? "" : `<p role="${role}">${escapeHtml(NOTES[note] ?? FAILED)}</p>`,
      keepsCookie ? "" : `<p role="alert">${PLAIN_HTTP}</p>`,
      links.length === 0 ? "" : `<ul>${links.join("")}</ul>`,
      magicLink.enabled ? mailForm(magicLink.action, next) : "",
      passkeyButton(passkeys, next),
      links.length === 0 && !magicLink.enabled ? noOtherWay(passkeys) : "",
    ].join("");
    return this.#document(req, "Log in", body);
  }

  #document(req: Request, title: string, body: string): string {
    const nonce = req.ctx.nonce();
    const render = this.#context.site.use("render", { optional: true });
    return render ? render.document({ title, body, nonce }) : builtInDocument(title, body);
  }

  #send(req: Request, res: Response, answer: Answer): void {
    this.#context.site.http.send(req, res, { ...answer, cache: { private: true } });
  }
}

const HTML = "text/html; charset=utf-8";

/** Hidden without JavaScript, which passkeys need. */
function passkeyButton(passkeys: Ways["passkeys"], next: string): string {
  if (passkeys === null) return "";
  return [
    `<div data-passkey-login hidden data-next="${escapeHtml(next)}"`,
    ` data-failed="${FAILED}" data-locked="Too many failed logins. Please wait a few minutes.">`,
    '<button type="button">Log in with a passkey</button><p role="alert" hidden></p></div>',
    `<script type="module" src="${escapeHtml(passkeys.script)}"></script>`,
  ].join("");
}

/** Without passkeys in the browser, the note is all that visitors see; the script removes it. */
function noOtherWay(passkeys: Ways["passkeys"]): string {
  if (passkeys === null) return "<p>There is no way to log in here.</p>";
  return `<p data-passkey-needed>Logging in here needs JavaScript and a browser with passkeys.</p>`;
}

function mailForm(action: string, next: string): string {
  return [
    `<form id="magic-form" method="post" action="${action}">`,
    `<label for="magic-email">E-mail address</label> `,
    `<input id="magic-email" type="email" name="email" required autocomplete="email webauthn">`,
    `<input type="hidden" name="next" value="${escapeHtml(next)}">`,
    `<button type="submit">Send me a link</button></form>`,
  ].join("");
}

/**
 * A complete HTML document, for sites without a plugin that renders pages. `body` is trusted HTML.
 */
export function builtInDocument(title: string, body: string): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)}</title></head><body><main>${body}</main></body></html>`,
  ].join("");
}

/** Content of the page. */
export type AccountPage = Pick<
  AccountTemplateProps,
  "account" | "isStored" | "sessions" | "passkeys" | "fates" | "isFresh" | "csrf" | "message"
>;

/** HTML of the account's page, for themes without a template for it. */
function accountBody(page: AccountPage): string {
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
