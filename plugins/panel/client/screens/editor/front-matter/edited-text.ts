import { frontMatterClosing, frontMatterOpening } from "#lib/front-matter";
import { isRecord } from "#lib/values";
import { isEqualValue, readYaml, YamlEditError } from "#lib/yaml/reading";
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";

/** The text editor, seen from the session. */
export interface BodyPort {
  read(): string;
  /** Replaces the body, with as small a change as possible. */
  replace(body: string): void;
  /** Starts to record what is typed. */
  mark(): void;
  /** Applies the change from `from` to `to` under what was typed since the mark. */
  rebase(from: string, to: string): void;
}

/** The file on the screen: front matter here, its body in the text editor while that is open. */
export class EditedText {
  /** Grows with every change. */
  readonly revision = signal(0);
  readonly frontMatter: ReadonlySignal<FrontMatter> = computed(() =>
    readFrontMatter(this.yaml.value, this.#file.value.syntax),
  );
  readonly yaml: ReadonlySignal<string> = computed(() => this.#file.value.yaml);
  /** The changes of fields that can be undone. */
  readonly edits: FrontMatterEdits;
  readonly #file;
  #port: BodyPort | null = null;

  /** `set`: changes a key, see `set-key.ts`. */
  constructor(text: string, set: SetKey) {
    const file = splitFile(text);
    this.#file = signal(file);
    this.edits = new FrontMatterEdits(file, set);
  }

  /** The body as it is shown. */
  get body(): string {
    return this.#port?.read() ?? this.#file.value.body;
  }

  /** The whole file as it is shown. */
  get text(): string {
    return joinFile({ ...this.#file.value, body: this.body });
  }

  /** Connects the text editor; null when it closes. */
  connect(port: BodyPort | null): void {
    if (port === null) this.#file.value = { ...this.#file.value, body: this.body };
    this.#port = port;
  }

  /** Starts to record what is typed, for `merge`. */
  mark(): void {
    this.#port?.mark();
  }

  /** Sets a key of the front matter; undefined removes it. False when nothing changed. */
  set(key: string, value: unknown): boolean {
    return this.#show(this.edits.set(key, value));
  }

  /** Takes the last change of the fields back, or makes it again. False when nothing changed. */
  step(direction: "undo" | "redo"): boolean {
    return this.#show(this.edits[direction]());
  }

  /** Replaces the front matter. */
  setYaml(yaml: string): void {
    const file = this.#file.value;
    const ended = yaml === "" || yaml.endsWith("\n") ? yaml : `${yaml}\n`;
    const fences = file.close === "" ? { open: `${file.open}---\n`, close: "---\n" } : {};
    this.#show(this.edits.setText({ ...file, ...fences, yaml: ended }));
  }

  /** Replaces the file. */
  replace(text: string): void {
    const file = splitFile(text);
    batch(() => {
      this.#file.value = this.edits.load(file);
      this.#port?.replace(file.body);
    });
  }

  /** Takes over the difference between two texts, under what was typed since the mark. */
  merge(from: string, to: string): void {
    const [before, after] = [splitFile(from), splitFile(to)];
    const isTyped = this.#file.value.yaml !== before.yaml;
    const head = isTyped || before.yaml === after.yaml ? this.#file.value : this.edits.load(after);
    this.#file.value = { ...head, body: this.#port === null ? after.body : this.#file.value.body };
    this.#port?.rebase(before.body, after.body);
    this.revision.value += 1;
  }

  #show({ open, yaml, close }: TextFile): boolean {
    const file = this.#file.value;
    if (yaml === file.yaml && open === file.open) return false;
    this.#file.value = { ...file, open, yaml, close };
    return true;
  }
}

/** A file as it was loaded, and the fields that differ from it. */
interface State {
  readonly origin: TextFile;
  readonly edits: ReadonlyMap<string, unknown>;
  readonly shown: TextFile;
}
/** Changes of one field within this time are undone together. */
const TOGETHER_MS = 1_500;
const MAX_STEPS = 200;

/**
 * The front matter while its fields are edited. Every change is applied to the text as it was loaded, so
 * that a field with its first value again has its first text again, byte for byte.
 */
class FrontMatterEdits {
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  /** The reason why the last change of a field was not made; null when it was. */
  readonly problem = signal<string | null>(null);
  readonly #set: SetKey;
  #state: State;
  #before: State[] = [];
  #after: State[] = [];
  #last: { key: string; at: number } = { key: "", at: 0 };

  constructor(file: TextFile, set: SetKey) {
    this.#set = set;
    this.#state = { origin: file, edits: new Map(), shown: file };
  }

  /** Begins with another text: nothing of it can be undone. */
  load(file: TextFile): TextFile {
    this.#state = { origin: file, edits: new Map(), shown: file };
    this.#before = [];
    this.#after = [];
    return this.#show();
  }

  /** Sets a key; undefined removes it. The same object when nothing changed. */
  set(key: string, value: unknown): TextFile {
    const { origin, edits, shown } = this.#state;
    const first = readFrontMatter(origin.yaml, origin.syntax).values?.[key];
    const next = new Map(edits);
    if (isEqualValue(first, value)) next.delete(key);
    else next.set(key, value);
    const file = this.#applied(origin, next);
    if (file === null) return shown;
    if (file.yaml === shown.yaml && file.open === shown.open) return shown;
    this.#step(key, { origin, edits: next, shown: file });
    return file;
  }

  /** Null, with the reason in `problem`, for a change that has no exact edit. */
  #applied(origin: TextFile, edits: ReadonlyMap<string, unknown>): TextFile | null {
    try {
      const file = [...edits].reduce((one, edit) => this.#set(one, ...edit), origin);
      this.problem.value = null;
      return file;
    } catch (error) {
      if (!(error instanceof YamlEditError)) throw error;
      this.problem.value = error.message;
      return null;
    }
  }

  /** Replaces the text of the front matter. */
  setText(file: TextFile): TextFile {
    this.#step("", { origin: file, edits: new Map(), shown: file });
    return file;
  }

  /** Takes the last change back. */
  undo(): TextFile {
    return this.#move(this.#before, this.#after);
  }

  /** Makes a change again that was taken back. */
  redo(): TextFile {
    return this.#move(this.#after, this.#before);
  }

  #step(key: string, next: State): void {
    const { key: last, at } = this.#last;
    const isSame = key !== "" && key === last && Date.now() - at < TOGETHER_MS;
    if (!isSame || this.#before.length === 0) this.#before.push(this.#state);
    if (this.#before.length > MAX_STEPS) this.#before.shift();
    this.#after = [];
    this.#last = { key, at: Date.now() };
    this.#state = next;
    this.#show();
  }

  #move(from: State[], to: State[]): TextFile {
    const next = from.pop();
    if (next === undefined) return this.#state.shown;
    to.push(this.#state);
    this.#last = { key: "", at: 0 };
    this.#state = next;
    return this.#show();
  }

  #show(): TextFile {
    this.problem.value = null;
    this.canUndo.value = this.#before.length > 0;
    this.canRedo.value = this.#after.length > 0;
    return this.#state.shown;
  }
}

/**
 * A page's file as front matter and body. Joined again, both are the file byte for byte: an edit
 * changes the lines of its key and nothing else.
 */

/** A file in three parts: `open + yaml + close + body` is the file. */
export interface TextFile {
  /** Byte order mark and opening fence; empty without front matter. */
  readonly open: string;
  readonly yaml: string;
  readonly close: string;
  readonly body: string;
  readonly syntax: "yaml" | "toml";
}
/** Changes a key of front matter, as `setKey` of `set-key.ts`. */
export type SetKey = (file: TextFile, key: string, value: unknown) => TextFile;
/** The values of front matter, or why they cannot be read. */
type FrontMatter =
  | { readonly values: Readonly<Record<string, unknown>>; readonly error: null }
  | {
      readonly values: null;
      readonly error: string;
      /** The line in the front matter, from 1. */
      readonly line: number;
    };

/** Splits a file at its fences. */
export function splitFile(raw: string): TextFile {
  const mark = raw.startsWith("\uFEFF") ? "\uFEFF" : "";
  const opening = frontMatterOpening(raw.slice(mark.length));
  const start = mark.length + (opening?.length ?? 0);
  const closing = opening === null ? null : frontMatterClosing(raw, start, opening.mark);
  if (opening === null || closing === null) {
    return { open: mark, yaml: "", close: "", body: raw.slice(mark.length), syntax: "yaml" };
  }
  return {
    open: raw.slice(0, start),
    yaml: raw.slice(start, closing.start),
    close: raw.slice(closing.start, closing.end),
    body: raw.slice(closing.end),
    syntax: opening.syntax,
  };
}

/** The whole file. A body behind a fence without a line end starts on a line of its own. */
export function joinFile({ open, yaml, close, body }: TextFile): string {
  const isGlued = close !== "" && body !== "" && !close.endsWith("\n");
  const lineEnd = isGlued ? findLineBreak(open) : "";
  return open + yaml + close + lineEnd + body;
}

/** The values of front matter; TOML is edited as text. */
export function readFrontMatter(yaml: string, syntax: TextFile["syntax"] = "yaml"): FrontMatter {
  if (syntax === "toml") {
    return { values: null, error: "front matter in TOML is edited as text", line: 1 };
  }
  const document = readYaml(yaml, { allowsMore: true });
  const { mistake, values } = document;
  if (mistake !== null) return { values: null, error: mistake.message, line: mistake.line };
  if (isRecord(values)) return { values, error: null };
  return values === null
    ? { values: {}, error: null }
    : { values: null, error: "front matter is not a map", line: document.lineOf([]) };
}

/** The line break of a text: that of Windows where it has one. */
export function findLineBreak(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
