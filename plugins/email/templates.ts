import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { realInside, SiteError } from "#kernel";
import { builtInTemplates } from "./built-in-templates.js";
import type { EmailTemplate } from "./contract.js";

const NAME = /^[a-z0-9][a-z0-9-]*$/;
const SUBJECT = /^Subject:[ \t]*(.*)\r?\n\r?\n?/i;

/** Templates by name: the active theme's files, then what plugins brought, then the built-in ones. */
export class Templates {
  readonly #folder: () => string | null;
  readonly #added = new Map<string, EmailTemplate>(Object.entries(builtInTemplates));

  /** `folder`: the active theme's, absolute; asked for at each use, since themes change. */
  constructor(folder: () => string | null) {
    this.#folder = folder;
  }

  add(name: string, template: EmailTemplate): void {
    this.#added.set(name, template);
  }

  /** @throws ERR_EMAIL_TEMPLATE. */
  async get(name: string): Promise<EmailTemplate> {
    const added = this.#added.get(name);
    const [text, html] = await Promise.all([this.#read(name, "txt"), this.#read(name, "html")]);
    const base = added ?? { subject: name, text: "", html: "" };
    // A theme that brings the text alone gets a mail of text alone.
    if (text !== null) return fromTheme(base, text, html ?? "");
    if (html !== null) return { ...base, html };
    if (added === undefined) throw unknown(name);
    return added;
  }

  async #read(name: string, extension: "txt" | "html"): Promise<string | null> {
    const folder = this.#folder();
    if (folder === null || !NAME.test(name)) return null;
    const file = await realInside(folder, join(folder, "emails", `${name}.${extension}`));
    return file === null ? null : readFile(file, "utf8");
  }
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
