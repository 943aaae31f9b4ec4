import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { realInside, SiteError } from "#kernel";
import { builtInTemplates } from "./built-in-templates.js";
import type { EmailTemplate } from "./contract.js";

const NAME = /^[a-z0-9][a-z0-9-]*$/;
const SUBJECT = /^Subject:[ \t]*(.*)\r?\n\r?\n?/i;

/** Files of a template in one theme; null where it has none. */
interface ThemeFiles {
  readonly text: string | null;
  readonly html: string | null;
}

/**
 * Templates by name: files of the active theme, or of the nearest parent that has any; then what
 * plugins brought, then the built-in ones.
 */
export class Templates {
  readonly #folders: () => readonly string[];
  readonly #added = new Map<string, EmailTemplate>(Object.entries(builtInTemplates));

  /**
   * `folders`: of the active theme and its parents, in this order, absolute; asked for at each use,
   * since themes change.
   */
  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  add(name: string, template: EmailTemplate): void {
    this.#added.set(name, template);
  }

  /** @throws ERR_EMAIL_TEMPLATE. */
  async get(name: string): Promise<EmailTemplate> {
    const added = this.#added.get(name);
    const { text, html } = await this.#ofThemes(name);
    const base = added ?? { subject: name, text: "", html: "" };
    // A theme that brings the text alone gets a mail of text alone.
    if (text !== null) return fromTheme(base, text, html ?? "");
    if (html !== null) return { ...base, html };
    if (added === undefined) throw unknown(name);
    return added;
  }

  /** Both files come from one theme: a mail whose parts say different things helps nobody. */
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
  const [head = "", own = subject] = SUBJECT.exec(text) ?? [];
  return { subject: own, text: text.slice(head.length), html };
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
