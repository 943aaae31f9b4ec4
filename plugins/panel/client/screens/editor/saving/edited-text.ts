import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import type { setKey } from "../front-matter/set-key.js";
import { FrontMatterEdits } from "../front-matter/front-matter-edits.js";
import {
  joinFile,
  readFrontMatter,
  splitFile,
  type FrontMatter,
  type TextFile,
} from "../front-matter/text-file.js";

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
  /** What can be undone in the fields. */
  readonly edits: FrontMatterEdits;
  readonly #file;
  #port: BodyPort | null = null;

  /** `set`: changes a key, see `set-key.ts`. */
  constructor(text: string, set: typeof setKey) {
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
