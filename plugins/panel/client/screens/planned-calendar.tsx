import { ChevronLeft, ChevronRight } from "lucide";
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { language, texts } from "../app/texts.js";
import de from "../locales/de/planned.json";
import en from "../locales/en/planned.json";
import { Icon } from "../parts/icon.js";

const t = texts({ en, de });

/** A plan in the calendar. */
interface CalendarPlan {
  readonly title: string;
  readonly scheduledAt: string;
}

interface CalendarProps {
  /** The next one first. */
  plans: readonly CalendarPlan[];
  /** Goes to a day of the list. */
  onDay(day: string): void;
}

const WEEK = 7;
const MAX_TITLES = 2;
const months = new Intl.DateTimeFormat(language, { month: "long", year: "numeric" });
const fullDays = new Intl.DateTimeFormat(language, { dateStyle: "full" });
const shortWeekdays = new Intl.DateTimeFormat(language, { weekday: "short" });
const longWeekdays = new Intl.DateTimeFormat(language, { weekday: "long" });

/** A day in the person's time zone: `2026-11-30`. */
export function dayKey(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** A month of plans. Arrow keys move by day and week, Page Up and Page Down by month; Enter goes to the day in the list. */
export function PlannedCalendar({ plans, onDay }: CalendarProps): VNode {
  const [first] = plans;
  const [current, setCurrent] = useState(() =>
    midday(first === undefined ? new Date() : new Date(first.scheduledAt)),
  );
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(false);
  // Before the next key: the day that had the focus is removed with its month.
  useLayoutEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    isMoved.current = false;
  }, [current]);
  const weeks = weeksOf(current);
  const byDay = new Map<string, CalendarPlan[]>();
  for (const plan of plans) {
    const key = dayKey(new Date(plan.scheduledAt));
    byDay.set(key, [...(byDay.get(key) ?? []), plan]);
  }
  const today = dayKey(new Date());
  return (
    <section class="card planned-calendar" aria-label={t("calendar")}>
      <MonthHead month={current} onMonth={(by) => setCurrent(monthAway(current, by))} />
      <table ref={grid} role="grid" aria-label={months.format(current)}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day.getDay()} scope="col" abbr={longWeekdays.format(day)}>
                {shortWeekdays.format(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          onKeyDown={(event) => {
            const next = moved(current, event.key);
            if (next === null) return;
            event.preventDefault();
            isMoved.current = true;
            setCurrent(next);
          }}
        >
          {weeks.map((week) => (
            <tr key={dayKey(week[0] ?? current)}>
              {week.map((day) => {
                const key = dayKey(day);
                return (
                  <Day
                    key={key}
                    day={day}
                    plans={byDay.get(key) ?? []}
                    isToday={key === today}
                    isCurrent={key === dayKey(current)}
                    isOther={day.getMonth() !== current.getMonth()}
                    onChoose={() => {
                      setCurrent(day);
                      if (byDay.has(key)) onDay(key);
                    }}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface MonthHeadProps {
  month: Date;
  /** Goes to the month before or after. */
  onMonth(by: -1 | 1): void;
}

function MonthHead({ month, onMonth }: MonthHeadProps): VNode {
  return (
    <header class="row">
      <button
        type="button"
        class="icon"
        aria-label={t("calendar.previous")}
        onClick={() => onMonth(-1)}
      >
        <Icon of={ChevronLeft} />
      </button>
      <h2 aria-live="polite">{months.format(month)}</h2>
      <button type="button" class="icon" aria-label={t("calendar.next")} onClick={() => onMonth(1)}>
        <Icon of={ChevronRight} />
      </button>
    </header>
  );
}

interface DayProps {
  day: Date;
  plans: readonly CalendarPlan[];
  isToday: boolean;
  /** True: Tab goes to it. */
  isCurrent: boolean;
  /** True: it belongs to the month before or after. */
  isOther: boolean;
  onChoose(): void;
}

function Day({ day, plans, isToday, isCurrent, isOther, onChoose }: DayProps): VNode {
  const titles = plans.map(({ title }) => title);
  const label = [
    fullDays.format(day),
    ...(titles.length === 0 ? [] : [`${t("count", { n: titles.length })}: ${titles.join(", ")}`]),
  ].join(", ");
  return (
    <td role="gridcell">
      <button
        type="button"
        class={`calendar-day${isOther ? " is-other" : ""}${titles.length > 0 ? " has-plans" : ""}`}
        tabIndex={isCurrent ? 0 : -1}
        aria-current={isToday ? "date" : undefined}
        onClick={onChoose}
      >
        <span class="visually-hidden">{label}</span>
        <span aria-hidden="true">{day.getDate()}</span>
        {titles.slice(0, MAX_TITLES).map((title, at) => (
          <small key={at} aria-hidden="true">
            {title}
          </small>
        ))}
        {titles.length > MAX_TITLES && (
          <small aria-hidden="true">+{titles.length - MAX_TITLES}</small>
        )}
      </button>
    </td>
  );
}

/** The weeks that a month is in, each with seven days. */
function weeksOf(month: Date): Date[][] {
  const first = new Date(month.getFullYear(), month.getMonth(), 1, 12);
  const start = addDays(first, -((first.getDay() - firstDayOfWeek() + WEEK) % WEEK));
  const weeks: Date[][] = [];
  for (let day = start; day.getMonth() === month.getMonth() || day <= first;) {
    weeks.push(Array.from({ length: WEEK }, (_, at) => addDays(day, at)));
    day = addDays(day, WEEK);
  }
  return weeks;
}

/** 0: Sunday; Monday where the browser does not know. */
function firstDayOfWeek(): number {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(
    navigator.language,
  );
  return (locale.getWeekInfo?.().firstDay ?? 1) % WEEK;
}

/** The day that a key leads to; null for another key. */
function moved(day: Date, key: string): Date | null {
  const weekday = (day.getDay() - firstDayOfWeek() + WEEK) % WEEK;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -WEEK,
    ArrowDown: WEEK,
    Home: -weekday,
    End: WEEK - 1 - weekday,
  };
  const step = steps[key];
  if (step !== undefined) return addDays(day, step);
  if (key === "PageUp") return monthAway(day, -1);
  return key === "PageDown" ? monthAway(day, 1) : null;
}

/** The same day of another month, or its last one. */
function monthAway(day: Date, by: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + by + 1, 0, 12);
  return new Date(last.getFullYear(), last.getMonth(), Math.min(day.getDate(), last.getDate()), 12);
}

function addDays(day: Date, count: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + count, 12);
}

/** At noon no change of the clock leads to another day. */
function midday(date: Date): Date {
  return addDays(date, 0);
}
