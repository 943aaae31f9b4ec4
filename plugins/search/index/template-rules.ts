import { createHash } from "node:crypto";
import type { SiteContext } from "#kernel";
import type { Blueprints, Field, PageEntry } from "../../content/contract.js";

/** What page types say of the text and the terms of their pages, as a short text that changes with it. */
export class TemplateRules {
  readonly #site: Pick<SiteContext, "use">;
  readonly #known = new Map<string, string>();
  #version = -1;

  constructor(site: Pick<SiteContext, "use">) {
    this.#site = site;
  }

  /** Of the templates of these pages; empty for pages without blocks and fields with terms. */
  of(pages: readonly PageEntry[]): string {
    const { blueprints } = this.#site.use("content");
    if (blueprints.version !== this.#version) {
      this.#known.clear();
      this.#version = blueprints.version;
    }
    return pages.map(({ template }) => this.#rules(template, blueprints)).join("");
  }

  #rules(template: string, blueprints: Blueprints): string {
    const known = this.#known.get(template) ?? rulesOf(template, blueprints);
    this.#known.set(template, known);
    return known;
  }
}

function rulesOf(template: string, blueprints: Blueprints): string {
  const fields = blueprints.of(template)?.fields ?? [];
  const terms = fields.flatMap(({ name, more }) => (more["from"] ? [[name, more["from"]]] : []));
  const hasBlocks = fields.some(({ type }) => type === "blocks");
  if (!hasBlocks && terms.length === 0) return "";
  const blocks = blueprints.blocks().map(({ name, fields: own }) => [name, outline(own)]);
  const rules = JSON.stringify([terms, hasBlocks && [outline(fields), blocks]]);
  return createHash("sha1").update(rules).digest("base64url").slice(0, 12);
}

function outline(fields: readonly Field[]): unknown[] {
  return fields.map(({ name, type, fields: own }) => [name, type, outline(own)]);
}
