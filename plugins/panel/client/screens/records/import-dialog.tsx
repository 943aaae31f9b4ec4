import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { t as app } from "../../app/texts.js";
import { Dialog } from "../../parts/dialog.js";
import { Failure, fieldErrors, toReason } from "../../parts/loading.js";
import type { ImportedFile, ImportedRow } from "./csv.js";
import { t } from "./record-type.js";
import { ApiError, call } from "../../api/request.js";
import type { RecordType } from "../../api/answers.js";
import { FilePicker } from "../../parts/file-picker.js";

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly failures: readonly { line: number; reason: string }[];
  readonly unknown: readonly string[];
}

interface ImportDialogProps {
  type: RecordType;
  onClose(): void;
  /** Called after an import, to load the records again. */
  onImported(): void;
}

/** Imports a CSV file row by row, and lists the rows that failed. */
export function ImportDialog({ type, onClose, onImported }: ImportDialogProps): VNode {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isRunning = progress !== null && progress.done < progress.total;
  const run = async (file: File): Promise<void> => {
    setError(null);
    try {
      const { fromCsv } = await import("./csv.js");
      await importRows(type, fromCsv(type, await file.text()), setProgress);
      onImported();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog title={t("import.title", { type: type.title })} onClose={onClose}>
      <p>{t("import.how", { columns: type.fields.map(({ name }) => name).join(", ") })}</p>
      <FilePicker
        label={t("import.file")}
        accept=".csv,text/csv"
        disabled={isRunning}
        onFiles={([file]) => {
          if (file !== undefined) void run(file);
        }}
      />
      {error !== null && <Failure error={error} />}
      {progress !== null && <Report progress={progress} />}
      <div class="actions">
        <button type="button" disabled={isRunning} onClick={onClose}>
          {app("close")}
        </button>
      </div>
    </Dialog>
  );
}

interface ReportProps {
  progress: Progress;
}

function Report({ progress }: ReportProps): VNode {
  const { done, total, created, updated, failures, unknown } = progress;
  return (
    <div class="stack">
      <progress max={total} value={done} aria-label={t("import.progress")} />
      <p role="status">{t("import.report", { created, updated, failed: failures.length })}</p>
      {unknown.length > 0 && (
        <p class="notice warn">{t("import.unknown", { columns: unknown.join(", ") })}</p>
      )}
      {failures.length > 0 && (
        <ul class="notice bad import-failures" aria-label={t("import.failures")}>
          {failures.map(({ line, reason }) => (
            <li key={line}>{t("import.line", { line, reason })}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

async function importRows(
  type: RecordType,
  { rows, unknown }: ImportedFile,
  report: (progress: Progress) => void,
): Promise<void> {
  if (rows.length === 0) throw new Error(t("import.empty"));
  const total = rows.length;
  let state: Progress = { done: 0, total, created: 0, updated: 0, failures: [], unknown };
  report(state);
  for (const row of rows) {
    const result = await importRow(type.name, row);
    state = { ...state, done: state.done + 1 };
    if (result === "created") state = { ...state, created: state.created + 1 };
    else if (result === "updated") state = { ...state, updated: state.updated + 1 };
    else state = { ...state, failures: [...state.failures, { line: row.line, ...result }] };
    report(state);
  }
}

/** Updates the record with the row's id; creates one for a row without an id. */
async function importRow(
  type: string,
  { id, values }: ImportedRow,
): Promise<"created" | "updated" | { reason: string }> {
  try {
    if (id !== "" && (await update(type, id, values))) return "updated";
    await call("POST /flex/:type", { params: { type }, body: values });
    return "created";
  } catch (error) {
    const reasons = fieldErrors(error).map(({ message }) => message);
    return { reason: reasons.length === 0 ? toReason(error) : reasons.join(" ") };
  }
}

/** False when there is no record with the id. */
async function update(type: string, id: string, values: ImportedRow["values"]): Promise<boolean> {
  try {
    await call("PUT /flex/:type/:id", { params: { type, id }, body: values });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
