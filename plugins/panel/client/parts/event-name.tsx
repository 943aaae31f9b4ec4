import type { VNode } from "preact";
import { texts } from "../app/texts.js";
import de from "../locales/de/events.json";
import en from "../locales/en/events.json";

/** Texts of the audit log's events and of those that webhooks send. */
const t = texts({ en, de });

type Key = keyof typeof en;

function isKnown(key: string): key is Key {
  return Object.hasOwn(en, key);
}

/** The words for an event; events that a plugin of others adds keep their name. */
export function eventText(event: string): string {
  return isKnown(event) ? t(event) : event;
}

/** The events of the audit log that the panel has words for, by these words. */
export function auditEvents(): { value: string; label: string }[] {
  return Object.keys(en)
    .filter(isKnown)
    .filter((key) => key.includes(".") && !key.endsWith(".help"))
    .map((value) => ({ value, label: t(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

interface EventNameProps {
  event: string;
}

/** An event in words, with a sentence as tooltip. */
export function EventName({ event }: EventNameProps): VNode {
  const help = `${event}.help`;
  return <span title={isKnown(help) ? t(help) : undefined}>{eventText(event)}</span>;
}
