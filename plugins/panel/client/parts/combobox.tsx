import type { VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "./parts-texts.js";

/** A choice in the list below the input. */
export interface ComboOption {
  readonly key: string;
  readonly label: string;
  readonly detail: string;
}
/** An input that searches while one types. */
export interface ComboboxProps {
  id?: string | undefined;
  label?: string | undefined;
  describedBy?: string | undefined;
  placeholder: string;
  isInvalid?: boolean;
  /** Finds the options for what was typed. */
  find(words: string): Promise<readonly ComboOption[]>;
  onChoose(option: ComboOption): void;
  /** Takes text that is no option; without it only options can be chosen. True: it was taken. */
  onText?(text: string): boolean;
  /** Called on Backspace in the empty input. */
  onBackspace?(): void;
}
const WAIT_MS = 150;

/** The combobox pattern: arrow keys, Enter and Escape work in the list. */
export function Combobox(props: ComboboxProps): VNode {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const search = useSearch(props.find);
  const { options, isOpen, active } = search;
  const done = (): void => {
    if (input.current !== null) input.current.value = "";
    search.close();
  };
  const actions: Actions = {
    search,
    words: () => input.current?.value ?? "",
    choose: (option) => {
      props.onChoose(option);
      done();
    },
    takeText: () => {
      if (props.onText?.(input.current?.value ?? "") === true) done();
    },
    takesText: props.onText !== undefined,
    onBackspace: props.onBackspace,
  };
  return (
    <div class="combobox">
      <input
        ref={input}
        id={props.id}
        role="combobox"
        autocomplete="off"
        aria-label={props.label}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[active] ? `${listId}-${active}` : undefined}
        placeholder={props.placeholder}
        onInput={(event) => search.open(event.currentTarget.value)}
        onClick={(event) => search.open(event.currentTarget.value)}
        onKeyDown={(event) => onKey(event, actions)}
        onBlur={() => {
          actions.takeText();
          search.close();
        }}
      />
      <Options id={listId} actions={actions} />
    </div>
  );
}

interface Actions {
  readonly search: Search;
  /** Returns what was typed. */
  words(): string;
  choose(option: ComboOption): void;
  takeText(): void;
  readonly takesText: boolean;
  readonly onBackspace: (() => void) | undefined;
}

interface OptionsProps {
  id: string;
  actions: Actions;
}

function Options({ id, actions }: OptionsProps): VNode {
  const { options, isOpen, active } = actions.search;
  return (
    <ul id={id} role="listbox" hidden={!isOpen} aria-label={t("suggestions")}>
      {isOpen &&
        options.map((option, at) => (
          <li
            key={option.key}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => actions.choose(option)}
          >
            <span>{option.label}</span>
            <small class="dim">{option.detail}</small>
          </li>
        ))}
      {isOpen && options.length === 0 && !actions.takesText && (
        <li role="option" aria-selected={false} aria-disabled class="dim">
          {t("nothing")}
        </li>
      )}
    </ul>
  );
}

type KeyHandler = (actions: Actions) => boolean;

/** Each returns whether the key did something. */
const keys: Readonly<Record<string, KeyHandler>> = {
  ArrowDown: (actions) => step(actions, 1),
  ArrowUp: (actions) => step(actions, -1),
  Escape: ({ search }) => {
    if (!search.isOpen) return false;
    search.close();
    return true;
  },
  Enter: (actions) => {
    const { search } = actions;
    const chosen = search.isOpen ? search.options[search.active] : undefined;
    if (chosen === undefined) actions.takeText();
    else actions.choose(chosen);
    return true;
  },
  ",": (actions) => {
    if (actions.takesText) actions.takeText();
    return actions.takesText;
  },
  Backspace: ({ words, onBackspace }) => {
    if (words() !== "" || onBackspace === undefined) return false;
    onBackspace();
    return true;
  },
};

function onKey(event: KeyboardEvent, actions: Actions): void {
  if (event.isComposing || event.altKey || keys[event.key]?.(actions) !== true) return;
  event.preventDefault();
  event.stopPropagation();
}

function step({ search, words }: Actions, by: 1 | -1): boolean {
  if (search.isOpen) search.move(by);
  else search.open(words());
  return true;
}

interface Search {
  readonly options: readonly ComboOption[];
  readonly isOpen: boolean;
  readonly active: number;
  open(words: string): void;
  close(): void;
  move(step: number): void;
}

function useSearch(find: ComboboxProps["find"]): Search {
  const [words, setWords] = useState<string | null>(null);
  const [options, setOptions] = useState<readonly ComboOption[] | null>(null);
  const [active, setActive] = useState(-1);
  const latest = useRef(find);
  latest.current = find;
  useEffect(() => {
    if (words === null) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      latest.current(words).then(
        (results) => {
          if (!isCurrent) return;
          setOptions(results);
          setActive(words === "" ? -1 : 0);
        },
        () => isCurrent && setOptions([]),
      );
    }, WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [words]);
  const shown = options ?? [];
  return {
    options: shown,
    isOpen: words !== null && options !== null,
    active,
    open: setWords,
    close: () => {
      setWords(null);
      setOptions(null);
      setActive(-1);
    },
    move: (step) => setActive((at) => Math.max(0, Math.min(shown.length - 1, at + step))),
  };
}
