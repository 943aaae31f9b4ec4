import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { X } from "lucide";
import { Icon } from "../parts/icon.js";
import { t } from "./texts.js";

/** A short message at the edge of the screen. */
interface Toast {
  readonly id: number;
  readonly kind: "done" | "warned" | "failed";
  readonly text: string;
  readonly next?: NextAction | undefined;
}

/** What a person may do after an action: see its result, or take it back. */
export interface NextAction {
  readonly label: string;
  run(): void;
}

const SHOWN_MS = 6_000;
const NEXT_MS = 12_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Reports that something was done, and offers what comes next; a function takes the action back. */
export function done(text: string, next?: NextAction | (() => void)): void {
  const action = typeof next === "function" ? { label: t("undo"), run: next } : next;
  show({ kind: "done", text, next: action });
}

/** Shows a warning about a completed action; it stays until it is closed. */
/** Shows the warnings about a stored file. */
export function warnedOfFile(name: string, warnings: readonly string[]): void {
  for (const warning of warnings) show({ kind: "warned", text: `${name}: ${warning}` });
}

/** Reports a failure; it stays until it is closed. */
export function failed(error: unknown): void {
  show({ kind: "failed", text: error instanceof Error ? error.message : String(error) });
}

/** Runs an action and reports its failure; true when it succeeded. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

/** The list of messages; screen readers announce new ones. */
export function Toasts(): VNode {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <p key={toast.id} class={`toast ${toast.kind}`}>
          <span>{toast.text}</span>
          {toast.next !== undefined && (
            <button
              type="button"
              class="link"
              onClick={() => {
                drop(toast.id);
                toast.next?.run();
              }}
            >
              {toast.next.label}
            </button>
          )}
          <button type="button" class="icon" aria-label={t("close")} onClick={() => drop(toast.id)}>
            <Icon of={X} size={16} />
          </button>
        </p>
      ))}
    </div>
  );
}

function show(toast: Omit<Toast, "id">): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id }];
  if (toast.kind !== "done") return;
  setTimeout(() => drop(id), toast.next === undefined ? SHOWN_MS : NEXT_MS);
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
