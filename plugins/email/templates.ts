import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { callCheck, escapeHtml, expectFields, SiteError } from "#kernel";
import { realInside } from "#lib/files";
import { expectText } from "#lib/values";
import type { EmailTemplate } from "./contract.js";
import { oneLine } from "./address.js";

const NAME = /^[a-z0-9][a-z0-9-]*$/;
const SUBJECT = /^Subject:[ \t]*(.*)\r?\n\r?\n?/i;

const assertAdd = callCheck(
  "email.addTemplate",
  {
    name: expectText,
    template: expectFields({ subject: ["string"], text: ["string"], html: ["string"] }),
  },
  'email.addTemplate("receipt", { subject: "Your order", text: "Thank you, {{name}}", html: "" })',
);

/** A template's files in one theme; null for a missing file. */
interface ThemeFiles {
  readonly text: string | null;
  readonly html: string | null;
}

/**
 * Templates by name: files of the active theme or of its nearest parent with such files; then those of
 * plugins, then the built-in ones.
 */
export class Templates {
  readonly #folders: () => readonly string[];
  readonly #added = new Map<string, EmailTemplate>(Object.entries(builtInTemplates));

  /**
   * `folders`: absolute folders of the active theme and its parents, in this order; called on each
   * use, since themes change.
   */
  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  add(name: string, template: EmailTemplate): void {
    assertAdd(name, template);
    this.#added.set(name, template);
  }

  /** @throws ERR_EMAIL_TEMPLATE. */
  async get(name: string): Promise<EmailTemplate> {
    const added = this.#added.get(name);
    const { text, html } = await this.#ofThemes(name);
    const base = added ?? { subject: name, text: "", html: "" };
    // A theme with only a text file sends a text-only mail.
    if (text !== null) return fromTheme(base, text, html ?? "");
    if (html !== null) return { ...base, html };
    if (added === undefined) throw unknown(name);
    return added;
  }

  /** Both files come from the same theme, so that the parts of a mail match. */
  async #ofThemes(name: string): Promise<ThemeFiles> {
    for (const folder of NAME.test(name) ? this.#folders() : []) {
      const [text, html] = await Promise.all([
        readInside(folder, `${name}.txt`),
        readInside(folder, `${name}.html`),
      ]);
      if (text !== null || html !== null) return { text, html };
    }
    return { text: null, html: null };
  }
}

async function readInside(folder: string, name: string): Promise<string | null> {
  const file = await realInside(folder, join(folder, "emails", name));
  return file === null ? null : readFile(file, "utf8");
}

function fromTheme({ subject }: EmailTemplate, text: string, html: string): EmailTemplate {
  const [head = "", ownSubject = subject] = SUBJECT.exec(text) ?? [];
  return { subject: ownSubject, text: text.slice(head.length), html };
}

function unknown(name: string): SiteError {
  return new SiteError(
    "ERR_EMAIL_TEMPLATE",
    `no e-mail template is named ${JSON.stringify(name)}`,
    {
      fix: `add emails/${name}.txt and emails/${name}.html to the theme`,
    },
  );
}

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9_]*)\s*\}\}/g;

/** Replaces `{{key}}` with values; keeps unknown keys. */
export function fillTemplate(
  template: EmailTemplate,
  values: Readonly<Record<string, string>>,
): EmailTemplate {
  return {
    subject: oneLine(fill(template.subject, values, (value) => value)),
    text: fill(template.text, values, (value) => value),
    html: fill(template.html, values, escapeHtml),
  };
}

function fill(
  text: string,
  values: Readonly<Record<string, string>>,
  escape: (value: string) => string,
): string {
  return text.replace(PLACEHOLDER, (whole, key: string) =>
    Object.hasOwn(values, key) ? escape(values[key] ?? "") : whole,
  );
}

/** Built-in templates. Values of `magic-link`: `site`, `link`, `minutes`. */
export const builtInTemplates: Readonly<Record<string, EmailTemplate>> = {
  "magic-link": {
    subject: "Your login link for {{site}}",
    text: `Open this link to log in to {{site}}:

{{link}}

It works once, within {{minutes}} minutes. If you did not ask for it, ignore this mail.
`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Your login link for {{site}}</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>Open this link to log in to {{site}}:</p>
<p><a href="{{link}}" style="display: inline-block; padding: .6em 1.2em; background: #1d4ed8; color: #fff; border-radius: .3em; text-decoration: none">Log in</a></p>
<p style="word-break: break-all"><small>{{link}}</small></p>
<p>It works once, within {{minutes}} minutes. If you did not ask for it, ignore this mail.</p>
</body>
</html>
`,
  },
};
