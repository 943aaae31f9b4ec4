import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Copy, GripVertical, Trash2 } from "lucide";
import type { ComponentChildren, RefObject, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icon.js";
import { t } from "../parts-texts.js";

/** A list whose items come, go and change places. */
export interface ItemListProps<T> {
  label: string;
  items: readonly T[];
  isEditable: boolean;
  /** True: items have a body that opens and closes; else they are one line. */
  hasBody: boolean;
  /** True: items can be doubled. */
  canCopy?: boolean;
  titleOf(item: T, at: number): ComponentChildren;
  /** Spoken name of an item. */
  nameOf(item: T, at: number): string;
  /** True for items with errors inside: they are open. */
  isWrong?(at: number): boolean;
  children?(item: T, at: number): ComponentChildren;
  onChange(items: readonly T[]): void;
}
/** Lists longer than this begin closed. */
const MAX_OPEN = 3;

/** Items are dragged by their handle, and moved by buttons or by Alt and an arrow key. */
export function ItemList<T>(props: ItemListProps<T>): VNode {
  const { items, isEditable, label, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  const ids = useIds(items.length);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const [startsOpen] = useState(items.length <= MAX_OPEN);
  const firstIds = useRef<ReadonlySet<number>>(new Set(ids.current));
  const [said, setSaid] = useState("");
  const change = (next: readonly T[], nextIds: number[]): void => {
    ids.current = nextIds;
    onChange(next);
  };
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= items.length || from === to) return;
    change(moved(items, from, to), [...moved(ids.current, from, to)]);
    setSaid(t("item.moved", { n: to + 1, total: items.length }));
  };
  useSorting(list, isEditable ? items.length : 0, move);
  return (
    <>
      <ul ref={list} class="item-list" aria-label={label}>
        {items.map((item, at) => {
          const id = ids.current[at] ?? at;
          const opens = firstIds.current.has(id) ? startsOpen : true;
          const isOpen = props.isWrong?.(at) === true || opens !== toggled.has(id);
          const toggle = (): void => setToggled(flipped(toggled, id));
          const actions = { at, move, props, change, ids: ids.current };
          return (
            <li
              key={id}
              class="item"
              aria-label={props.nameOf(item, at)}
              onKeyDown={(event) => moveByKey(event, at, move)}
            >
              <div class="item-head">
                {isEditable && items.length > 1 && (
                  <span class="item-grip" title={t("item.drag")}>
                    <Icon of={GripVertical} size={16} />
                  </span>
                )}
                <Head item={item} at={at} isOpen={isOpen} toggle={toggle} list={props} />
                {isEditable && <Actions {...actions} />}
              </div>
              {isOpen && <Body item={item} at={at} list={props} />}
            </li>
          );
        })}
      </ul>
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

interface BodyProps<T> {
  item: T;
  /** Place in the list, from 0. */
  at: number;
  list: ItemListProps<T>;
}

function Body<T>({ item, at, list }: BodyProps<T>) {
  return list.hasBody ? <div class="item-body">{list.children?.(item, at)}</div> : null;
}

interface HeadProps<T> {
  item: T;
  /** Place in the list, from 0. */
  at: number;
  isOpen: boolean;
  toggle(): void;
  list: ItemListProps<T>;
}

function Head<T>({ item, at, isOpen, toggle, list }: HeadProps<T>): VNode {
  const title = list.titleOf(item, at);
  if (!list.hasBody) return <span class="item-title">{title}</span>;
  return (
    <button type="button" class="item-title" aria-expanded={isOpen} onClick={toggle}>
      <Icon of={isOpen ? ChevronDown : ChevronRight} size={16} />
      <span>{title}</span>
    </button>
  );
}

interface ActionsProps<T> {
  /** Place in the list, from 0. */
  at: number;
  /** Numbers that stay with the items. */
  ids: number[];
  move(from: number, to: number): void;
  /** Replaces the items and their numbers. */
  change(items: readonly T[], ids: number[]): void;
  props: ItemListProps<T>;
}

function Actions<T>({ at, ids, move, change, props }: ActionsProps<T>): VNode {
  const { items, canCopy = false } = props;
  const n = at + 1;
  const buttons = [
    { label: t("item.up", { n }), icon: ArrowUp, off: at === 0, run: () => move(at, at - 1) },
    {
      label: t("item.down", { n }),
      icon: ArrowDown,
      off: at === items.length - 1,
      run: () => move(at, at + 1),
    },
    ...(canCopy
      ? [
          {
            label: t("item.copy", { n }),
            icon: Copy,
            off: false,
            run: () =>
              change(
                items.toSpliced(n, 0, ...items.slice(at, n)),
                ids.toSpliced(n, 0, Math.max(...ids) + 1),
              ),
          },
        ]
      : []),
    {
      label: t("item.remove", { n }),
      icon: Trash2,
      off: false,
      run: () => change(items.toSpliced(at, 1), ids.toSpliced(at, 1)),
    },
  ].filter(({ icon }) => items.length > 1 || (icon !== ArrowUp && icon !== ArrowDown));
  return (
    <span class="item-actions">
      {buttons.map(({ label, icon, off, run }) => (
        <button
          key={label}
          type="button"
          class="icon"
          aria-label={label}
          title={label}
          disabled={off}
          onClick={run}
        >
          <Icon of={icon} size={16} />
        </button>
      ))}
    </span>
  );
}

/** Numbers that stay with their items. */
function useIds(length: number): { current: number[] } {
  const ids = useRef<number[]>([]);
  const last = useRef(0);
  while (ids.current.length < length) {
    last.current = Math.max(last.current, ...ids.current.slice(-1_000)) + 1;
    ids.current = [...ids.current, last.current];
  }
  if (ids.current.length > length) ids.current = ids.current.slice(0, length);
  return ids;
}

/** Loads the library for dragging when there is something to drag; new items are registered. */
function useSorting(
  list: RefObject<HTMLUListElement | null>,
  count: number,
  move: (from: number, to: number) => void,
): void {
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => {
    if (count < 2) return undefined;
    let stop: (() => void) | null = null;
    let isOver = false;
    void import("../drag.js").then(({ makeSortable }) => {
      if (list.current === null || isOver) return;
      stop = makeSortable(list.current, (from, to) => latest.current(from, to));
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [count]);
}

function moveByKey(
  event: KeyboardEvent,
  at: number,
  move: (from: number, to: number) => void,
): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (step === 0 || !event.altKey || event.defaultPrevented) return;
  event.preventDefault();
  move(at, at + step);
}

function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

function flipped(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
