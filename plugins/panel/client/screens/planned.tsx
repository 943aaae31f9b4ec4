import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { toSentence } from "#lib/text";
import { call, type Item } from "../api/request.js";
import { may } from "../api/session.js";
import { editPath, href } from "../app/router.js";
import { language, t as app, texts } from "../app/texts.js";
import { done } from "../app/toasts.js";
import de from "../locales/de/planned.json";
import en from "../locales/en/planned.json";
import { FormDialog } from "../parts/forms.js";
import { Loading, useLoaded } from "../parts/loading.js";
import { MomentField, readMoment } from "../parts/moment-field.js";
import { fullMoment } from "../parts/moment.js";
import { dayKey, PlannedCalendar } from "./planned-calendar.js";

const t = texts({ en, de });

type Planned = Item<"GET /workflow/scheduled">;

const days = new Intl.DateTimeFormat(language, { dateStyle: "full" });
const hours = new Intl.DateTimeFormat(language, { timeStyle: "short" });

/** All scheduled publications, changes and withdrawals, day by day. */
export default function PlannedScreen(): VNode {
  const planned = useLoaded("planned", () => call("GET /workflow/scheduled"));
  const [open, setOpen] = useState<{ name: "change" | "cancel"; of: Planned } | null>(null);
  const close = (): void => setOpen(null);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{app("screen.planned")}</h1>
        <p>{t("why")}</p>
      </header>
      <Loading of={planned}>
        {({ items }) => (
          <>
            <p class="dim" role="status">
              {items.length === 0 ? t("none") : t("count", { n: items.length })}
            </p>
            <div class={items.length === 0 ? "" : "planned-panes"}>
              <div class="stack">
                {byDay(items).map(([key, ofDay]) => (
                  <Day key={key} name={key} items={ofDay} onOpen={setOpen} />
                ))}
              </div>
              {items.length > 0 && <PlannedCalendar plans={items} onDay={goToDay} />}
            </div>
          </>
        )}
      </Loading>
      {open?.name === "change" && <Change of={open.of} onClose={close} onDone={planned.reload} />}
      {open?.name === "cancel" && <Cancel of={open.of} onClose={close} onDone={planned.reload} />}
    </div>
  );
}

interface DayProps {
  /** `2026-11-30` */
  name: string;
  items: readonly Planned[];
  onOpen(dialog: { name: "change" | "cancel"; of: Planned }): void;
}

/** The plans of one day. */
function Day({ name, items, onOpen }: DayProps): VNode {
  const [first] = items;
  const day = first === undefined ? "" : days.format(new Date(first.scheduledAt));
  return (
    <section id={dayId(name)} class="card" aria-label={day} tabIndex={-1}>
      <h2>{day}</h2>
      <ul class="plain-list">
        {items.map((one) => (
          <Line
            key={`${one.action} ${one.sourcePath}`}
            of={one}
            onOpen={(dialog) => onOpen({ name: dialog, of: one })}
          />
        ))}
      </ul>
    </section>
  );
}

function dayId(day: string): string {
  return `day-${day}`;
}

function goToDay(day: string): void {
  const section = document.getElementById(dayId(day));
  section?.scrollIntoView({ block: "nearest" });
  section?.focus({ preventScroll: true });
}

/** The plans in their order, by day in the person's time zone. */
function byDay(items: readonly Planned[]): [string, Planned[]][] {
  const groups = new Map<string, Planned[]>();
  for (const one of items) {
    const day = dayKey(new Date(one.scheduledAt));
    groups.set(day, [...(groups.get(day) ?? []), one]);
  }
  return [...groups];
}

interface LineProps {
  of: Planned;
  onOpen(name: "change" | "cancel"): void;
}

function Line({ of, onOpen }: LineProps): VNode {
  const { sourcePath, title, action, scheduledAt, problem } = of;
  return (
    <li class="planned-line">
      <time dateTime={scheduledAt}>{hours.format(new Date(scheduledAt))}</time>
      <span class="grow break">
        <a href={href(editPath(sourcePath))} data-screen>
          {title}
        </a>{" "}
        <span class={`badge ${action === "unpublish" ? "" : "status-scheduled"}`}>
          {t(`action.${action}`)}
        </span>
        {problem !== null && <span class="field-error block">{toSentence(problem)}</span>}
      </span>
      {may("pages.publish", of) && (
        <span class="row">
          <button
            type="button"
            aria-label={t("change.of", { title })}
            onClick={() => onOpen("change")}
          >
            {t("change")}
          </button>
          <button
            type="button"
            aria-label={t("cancel.of", { title })}
            onClick={() => onOpen("cancel")}
          >
            {t("cancel")}
          </button>
        </span>
      )}
    </li>
  );
}

interface DialogProps {
  of: Planned;
  onClose(): void;
  onDone(): void;
}

/** Asks for another moment. */
function Change({ of, onClose, onDone }: DialogProps): VNode {
  const { sourcePath: path, title, action, scheduledAt } = of;
  return (
    <FormDialog
      title={t("change.of", { title })}
      action={app("save")}
      onClose={onClose}
      onSubmit={async (form) => {
        const at = readMoment(form).toISOString();
        if (action === "changes")
          await call("POST /drafts/*path/schedule", {
            params: { path },
            body: { scheduledAt: at },
          });
        else await call("POST /workflow/schedule", { body: { path, action, scheduledAt: at } });
        done(t("changed", { time: fullMoment(at) }));
        onDone();
      }}
    >
      <p>{t(`why.${action}`)}</p>
      <MomentField at={Date.parse(scheduledAt)} />
    </FormDialog>
  );
}

/** Asks before a plan is cancelled. */
function Cancel({ of, onClose, onDone }: DialogProps): VNode {
  const { sourcePath: path, title, action } = of;
  return (
    <FormDialog
      title={t("cancel.of", { title })}
      action={t("cancel")}
      onClose={onClose}
      onSubmit={async () => {
        if (action === "changes") await call("DELETE /drafts/*path/schedule", { params: { path } });
        else await call("DELETE /workflow/schedule/*path", { params: { path }, query: { action } });
        done(t("canceled"));
        onDone();
      }}
    >
      <p>{t(`cancel.why.${action}`)}</p>
    </FormDialog>
  );
}
