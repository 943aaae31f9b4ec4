import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { FormDialog } from "../../parts/forms.js";
import { useLoaded, toReason } from "../../parts/loading.js";
import { MomentField, readMoment } from "../../parts/moment-field.js";
import { call } from "../../api/request.js";
import { loadPageTypes } from "../../api/page-types.js";
import { may } from "../../api/session.js";
import type { PageRow } from "../../api/answers.js";
import { runBatch, type BulkFailure, type Operation } from "./batch.js";
import { DeletePages } from "./delete-pages.js";
import { PagePicker, readParent } from "./page-picker.js";
import { t } from "./pages-texts.js";
import { isPossibleParent } from "./tree-moves.js";
import { isInside } from "./tree.js";

interface BulkBarProps {
  /** The selected pages. */
  pages: readonly PageRow[];
  /** Source paths of the files of a page that are changed. */
  filesOf(page: PageRow): readonly string[];
  /** Called after the change, with the pages that failed. */
  onDone(failures: readonly BulkFailure[]): void;
}

type Question = "delete" | "tag" | "untag" | "move" | "schedule" | "type";

/** Actions on all selected pages. */
export default function BulkBar({ pages, filesOf, onDone }: BulkBarProps): VNode {
  const [asks, setAsks] = useState<Question | null>(null);
  const n = pages.length;
  const run = async (make: (page: PageRow) => readonly Operation[]): Promise<void> =>
    onDone(await runBatch(pages, make, () => onDone([])));
  const each = (make: (path: string) => Operation): Promise<void> =>
    run((page) => filesOf(page).map(make));
  const now = (op: "publish" | "unpublish"): void =>
    void each((path) => ({ op, path })).catch((error: unknown) =>
      onDone(pages.map((page) => ({ page, reason: toReason(error) }))),
    );
  // The server reports the selected pages that the account may not change.
  const mayAny = (permission: string): boolean => pages.some((page) => may(permission, page));
  const ask = (question: Question, label: string): VNode => (
    <button type="button" onClick={() => setAsks(question)}>
      {label}
    </button>
  );
  return (
    <div class="bulk-bar row" role="group" aria-label={t("selected", { n })}>
      <strong>{t("selected", { n })}</strong>
      {mayAny("pages.publish") && (
        <>
          <button type="button" onClick={() => now("publish")}>
            {t("publish")}
          </button>
          <button type="button" onClick={() => now("unpublish")}>
            {t("unpublish")}
          </button>
          {ask("schedule", t("schedule"))}
        </>
      )}
      {mayAny("pages.update") && (
        <>
          {ask("move", t("moveTo"))}
          {ask("type", t("type"))}
          {ask("tag", t("tag"))}
          {ask("untag", t("untag"))}
        </>
      )}
      {mayAny("pages.delete") && (
        <button type="button" class="danger" onClick={() => setAsks("delete")}>
          {t("trash")}
        </button>
      )}
      {asks !== null && (
        <Asked
          question={asks}
          pages={pages}
          filesOf={filesOf}
          run={run}
          each={each}
          onClose={() => setAsks(null)}
        />
      )}
    </div>
  );
}

interface AskedProps {
  question: Question;
  pages: readonly PageRow[];
  /** Source paths of the files of a page that are changed. */
  filesOf(page: PageRow): readonly string[];
  /** Changes pages: in all their languages together. */
  run(make: (page: PageRow) => readonly Operation[]): Promise<void>;
  /** Changes each file. */
  each(make: (path: string) => Operation): Promise<void>;
  onClose(): void;
}

/** The dialog of an action that needs an answer. */
function Asked(props: AskedProps): VNode {
  const { question } = props;
  switch (question) {
    case "move":
      return <MovePages {...props} />;
    case "type":
      return <ChangeType {...props} />;
    case "schedule":
      return <SchedulePages {...props} />;
    case "delete":
      return <DeletePages {...props} />;
    default:
      return <ChangeTag {...props} question={question} />;
  }
}

function MovePages({ pages, run, onClose }: AskedProps): VNode {
  return (
    <FormDialog
      title={t("bulk.move.title", { n: pages.length })}
      action={t("move.action")}
      onClose={onClose}
      onSubmit={(form) => {
        const parent = readParent(form);
        return run((page) =>
          isBelowOne(page, pages) ? [] : [{ op: "move", path: page.sourcePath, parent }],
        );
      }}
    >
      <p>{t("move.why")}</p>
      <PagePicker
        legend={t("move.below")}
        parent="/"
        isPossible={(parent) => pages.every((page) => isPossibleParent(parent, page))}
      />
    </FormDialog>
  );
}

function ChangeType({ pages, run, onClose }: AskedProps): VNode {
  return (
    <FormDialog
      title={t("bulk.type.title", { n: pages.length })}
      action={t("type.action")}
      onClose={onClose}
      onSubmit={(form) => {
        const template = String(form.get("template"));
        return run(({ sourcePath: path }) => [{ op: "type", path, template }]);
      }}
    >
      <p>{t("type.why")}</p>
      <TypeSelect />
    </FormDialog>
  );
}

function SchedulePages({ pages, each, onClose }: AskedProps): VNode {
  return (
    <FormDialog
      title={t("bulk.schedule.title", { n: pages.length })}
      action={t("schedule.action")}
      onClose={onClose}
      onSubmit={(form) => {
        const action = form.get("action") === "unpublish" ? "unpublish" : "publish";
        const scheduledAt = readMoment(form).toISOString();
        return each((path) => ({ op: "schedule", path, action, scheduledAt }));
      }}
    >
      <label>
        {t("schedule.what")}
        <select name="action">
          <option value="publish">{t("schedule.publish")}</option>
          <option value="unpublish">{t("schedule.unpublish")}</option>
        </select>
      </label>
      <MomentField at={null} />
    </FormDialog>
  );
}

interface ChangeTagProps extends AskedProps {
  question: "tag" | "untag";
}

function ChangeTag({ question, pages, each, onClose }: ChangeTagProps): VNode {
  return (
    <FormDialog
      title={t(`${question}.title`, { n: pages.length })}
      action={t(`${question}.action`)}
      onClose={onClose}
      onSubmit={(form) => {
        const value = String(form.get("tag")).trim();
        return each((path) => ({ op: question, path, value }));
      }}
    >
      <label>
        {t("tag.value")}
        <input name="tag" required maxLength={80} autoFocus list="known-tags" />
      </label>
      <KnownTags />
    </FormDialog>
  );
}

/** True for a page that moves with another selected one. */
function isBelowOne(page: PageRow, pages: readonly PageRow[]): boolean {
  return pages.some((other) => other.sourcePath !== page.sourcePath && isInside(page, other));
}

/** All page types: those of the site, and those that only the theme knows. */
function TypeSelect(): VNode {
  const types = useLoaded("types", loadPageTypes).data;
  const items = types?.items ?? [];
  const names = [...items.map(({ template }) => template), ...(types?.templates ?? []), "default"];
  return (
    <label>
      {t("template")}
      <select name="template" required>
        {[...new Set(names)].map((name) => (
          <option key={name} value={name}>
            {items.find(({ template }) => template === name)?.label ?? name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The tags of the site as suggestions. */
function KnownTags(): VNode {
  const facets = useLoaded("facets", () => call("GET /page-facets")).data;
  return (
    <datalist id="known-tags">
      {(facets?.tags ?? []).map(({ value }) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
