/** The types of micromark's tokenizers, which it does not export, and how one is added. */
import type { Data, Processor } from "unified";

/** An extension of the parser. */
export type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<NonNullable<Extension["text"]>[string]>;
/** A tokenizer of a piece of text. */
export type Construct = Extract<Constructs, { tokenize: unknown }>;
/** Takes one character and returns what takes the next one. */
export type State = Parameters<Construct["tokenize"]>[1];

/** Adds a construct that begins with the character `code`, before those that are there. */
export function addTextConstruct(processor: Processor, code: number, construct: Construct): void {
  const data = processor.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text: { [code]: construct } }];
}
