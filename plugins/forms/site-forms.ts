/** The forms of a site: the files in `forms/`. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HttpError, type FieldKinds } from "#kernel";
import { errorCode } from "#lib/errors";
import { nearest } from "#lib/values";
import { definitionTexts } from "#lib/fields";
import { realInside } from "#lib/files";
import { parseYamlSource, type YamlSource } from "#lib/yaml";
import type { ContentProblem } from "../content/contract.js";
import { type Form, readForm, translated, FormProblems, type FormMistake } from "./form.js";

/** Folder below the site root. */
export const FORMS_FOLDER = "forms";
const MAX_FILES = 500;
const MAX_BYTES = 262_144;
const FILE = /^([a-z][a-z0-9_-]{0,63})(?:\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))?\.yaml$/;

/** Options of reading the forms. */
interface SiteFormsOptions {
  readonly root: string;
  readonly kinds: FieldKinds;
  /** Languages of the site, the default one first. */
  readonly languages: readonly string[];
  /** Finds mistakes of a form that its file does not show. */
  check(form: Form): readonly FormMistake[];
}
interface FormFile {
  readonly name: string;
  readonly lang: string | null;
  readonly path: string;
  readonly source: YamlSource;
  readonly text: string;
}

/** Reads the forms, and finds them by name and language. */
export class SiteForms {
  readonly #parts: SiteFormsOptions;
  #forms: ReadonlyMap<string, ReadonlyMap<string, Form>> = new Map();
  #problems: readonly ContentProblem[] = [];
  #state = "";

  constructor(parts: SiteFormsOptions) {
    this.#parts = parts;
  }

  get problems(): readonly ContentProblem[] {
    return this.#problems;
  }

  /** The forms in the language of their file. */
  get all(): readonly Form[] {
    return this.names.flatMap((name) => this.find(name) ?? []);
  }

  get names(): readonly string[] {
    return [...this.#forms.keys()].sort();
  }

  /** A form in a language; in the default one without a translation. Undefined: no file has the name. */
  find(name: string, lang = ""): Form | undefined {
    const translations = this.#forms.get(name);
    return translations?.get(lang) ?? translations?.get("");
  }

  /** @throws HttpError 404. */
  get(name: string, lang = ""): Form {
    const form = this.find(name, lang);
    if (form !== undefined) return form;
    const near = nearest(name, this.names);
    const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    throw new HttpError(404, `there is no form ${JSON.stringify(name.slice(0, 80))}${hint}`, {
      code: "ERR_FORMS_UNKNOWN",
    });
  }

  /** Reads all files; true when they differ from what was read before. Never throws. */
  async read(): Promise<boolean> {
    const problems = new FormProblems();
    const files = await this.#files(problems);
    const state = JSON.stringify([files.map(({ path, text }) => [path, text]), problems.list]);
    if (state === this.#state) return false;
    this.#state = state;
    const forms = new Map<string, ReadonlyMap<string, Form>>();
    for (const file of files.filter(({ lang }) => lang === null)) {
      forms.set(file.name, this.#translations(file, files, problems));
    }
    this.#forms = forms;
    this.#problems = problems.list;
    return true;
  }

  #translations(
    file: FormFile,
    files: readonly FormFile[],
    problems: FormProblems,
  ): ReadonlyMap<string, Form> {
    const { kinds } = this.#parts;
    const { name, path, source } = file;
    const report = problems.of(path, source);
    const form = readForm({ name, data: source.data, kinds, report });
    for (const mistake of this.#parts.check(form)) report(mistake);
    const versions = new Map([["", form]]);
    for (const other of files) {
      if (other.name !== name || other.lang === null) continue;
      const data = translated(source.data, other.source.data);
      // Mistakes of the form itself were reported with its own file.
      const say = problems.of(other.path, other.source);
      const isOwn = ({ path: [key, field] = [] }: FormMistake): boolean =>
        other.source.position([key, field].filter((part) => part !== undefined)) !== undefined;
      const reportOwn = (mistake: FormMistake): void => (isOwn(mistake) ? say(mistake) : undefined);
      versions.set(other.lang, readForm({ name, data, kinds, report: reportOwn }));
    }
    return versions;
  }

  async #files(problems: FormProblems): Promise<FormFile[]> {
    const files: FormFile[] = [];
    for (const file of (await this.#names(problems)).slice(0, MAX_FILES)) {
      const path = `${FORMS_FOLDER}/${file}`;
      const report = problems.of(path, null);
      const [, name, lang = null] = FILE.exec(file) ?? [];
      if (name === undefined) {
        const fix = "use lower-case letters, digits, - and _, starting with a letter";
        report({ message: `${JSON.stringify(file)} is not a valid name of a form`, fix });
      } else if (lang !== null && !this.#parts.languages.includes(lang)) {
        const fix = `use one of ${this.#parts.languages.join(", ")}`;
        report({ message: `${JSON.stringify(lang)} is not a language of the site`, fix });
      } else {
        const read = await this.#source(path, report);
        if (read !== null) files.push({ name, lang, path, ...read });
      }
    }
    return files;
  }

  async #names(problems: FormProblems): Promise<string[]> {
    try {
      const names = await readdir(join(this.#parts.root, FORMS_FOLDER));
      return names.filter((name) => /\.ya?ml$/.test(name) && !name.startsWith(".")).sort();
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return [];
      const message = `the folder cannot be read (${code})`;
      problems.of(
        FORMS_FOLDER,
        null,
      )({ message, fix: "make it a folder that the server can read" });
      return [];
    }
  }

  async #source(
    path: string,
    report: (mistake: FormMistake) => void,
  ): Promise<Pick<FormFile, "source" | "text"> | null> {
    try {
      const { root } = this.#parts;
      const file = await realInside(root, join(root, path));
      const stats = file === null ? null : await lstat(file);
      if (file === null || stats?.isFile() !== true || stats.size > MAX_BYTES) {
        const message = `not a plain file of at most ${MAX_BYTES} bytes in the site root`;
        report({ message, fix: "put the file itself here" });
        return null;
      }
      const bytes = await readFile(file);
      const source = parseYamlSource(path, bytes);
      for (const { line, key, expected, received, fix } of source.problems) {
        const message = `received ${JSON.stringify(received)}, expected ${expected}`;
        report({ message, fix, line, ...(key !== "" && { path: [key] }) });
      }
      const isBroken = source.problems.some(({ key }) => key === "");
      if (isBroken) return null;
      const data = definitionTexts(source.data, source.texts, this.#parts.kinds);
      return { source: { ...source, data }, text: bytes.toString() };
    } catch (error) {
      // The system's message contains paths of this machine.
      report({
        message: `the file cannot be read (${errorCode(error)})`,
        fix: "check permissions",
      });
      return null;
    }
  }
}
