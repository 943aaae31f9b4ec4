import { relative, sep } from "node:path";
import type { Paths, Settings } from "#kernel";
import {
  encodePath,
  languagePrefix,
  normaliseRoute,
  toUrl,
  type LanguageRules,
} from "./address.js";
import { redirectKey, redirectSourceProblem, redirectTargetProblem } from "./redirects.js";
import type { ContentAddresses, PageEntry } from "../contract.js";

/** Builds and parses the URLs of a site and the paths of its content. */
export class Addresses implements ContentAddresses {
  readonly redirectKey = redirectKey;
  readonly redirectProblem = (from: string, to: string): string | null =>
    redirectSourceProblem(from) ?? redirectTargetProblem(to, from);
  readonly #rules: LanguageRules;
  /** Relative to the site's root, with a trailing slash: `content/`. */
  readonly #folder: string;

  constructor({ system: { languages } }: Settings, { root, content }: Paths) {
    this.#rules = {
      languages: languages.supported,
      defaultLanguage: languages.default,
      includeDefaultInUrl: languages.include_default_in_url,
    };
    this.#folder = `${relative(root, content).split(sep).join("/")}/`;
  }

  prefixOf(lang: string): string {
    return languagePrefix(lang, this.#rules);
  }

  rootOf(lang: string): string {
    return lang === this.#rules.defaultLanguage ? "" : this.prefixOf(lang);
  }

  urlOf(route: string, lang: string): string {
    return toUrl(route, lang, this.#rules);
  }

  fromRoot(sourcePath: string): string {
    return `${this.#folder}${sourcePath}`;
  }

  imageOf({ folder, frontmatter }: PageEntry): string | null {
    const image = frontmatter["image"];
    if (typeof image !== "string" || image === "") return null;
    if (image.startsWith("/") || /^https?:\/\//i.test(image)) return image;
    if (/^[a-z][a-z0-9+.-]*:/i.test(image) || image.split("/").includes("..")) return null;
    return encodePath(`/content-media/${folder}/${image.replace(/^\.\//, "")}`);
  }

  parse(address: string): { route: string; lang: string | null } {
    const route = normaliseRoute(decodePath(address));
    const first = route.split("/", 2)[1] ?? "";
    const { languages } = this.#rules;
    if (languages.length < 2 || !languages.includes(first)) return { route, lang: null };
    return { route: route.slice(first.length + 1) || "/", lang: first };
  }

  belowContent(path: string): string | null {
    return path.startsWith(this.#folder) ? path.slice(this.#folder.length) : null;
  }
}

/** A stray % is kept as it is. */
function decodePath(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch (error) {
    if (error instanceof URIError) return address;
    throw error;
  }
}
