import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import { joinFile, readFrontMatter, setKey, splitFile, type FrontMatter } from "./text-file.js";

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
    readFrontMatter(this.yaml.value),
  );
  readonly yaml: ReadonlySignal<string> = computed(() => this.#file.value.yaml);
  readonly #file;
  #port: BodyPort | null = null;

  constructor(text: string) {
    this.#file = signal(splitFile(text));
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
    const next = setKey(this.#file.value, key, value);
    if (next === this.#file.value) return false;
    this.#file.value = next;
    return true;
  }

  /** Replaces the front matter. */
  setYaml(yaml: string): void {
    const file = this.#file.value;
    const ended = yaml === "" || yaml.endsWith("\n") ? yaml : `${yaml}\n`;
    const fences = file.close === "" ? { open: `${file.open}---\n`, close: "---\n" } : {};
    this.#file.value = { ...file, ...fences, yaml: ended };
  }

  /** Replaces the file. */
  replace(text: string): void {
    const file = splitFile(text);
    batch(() => {
      this.#file.value = file;
      this.#port?.replace(file.body);
    });
  }

  /** Takes over the difference between two texts, under what was typed since the mark. */
  merge(from: string, to: string): void {
    const [before, after] = [splitFile(from), splitFile(to)];
    const isTyped = this.#file.value.yaml !== before.yaml;
    const head = isTyped ? this.#file.value : after;
    this.#file.value = { ...head, body: this.#port === null ? after.body : this.#file.value.body };
    this.#port?.rebase(before.body, after.body);
    this.revision.value += 1;
  }
}
