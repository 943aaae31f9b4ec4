import { useEffect, useRef, useState } from "preact/hooks";

/** Calls `onFiles` with files that are dropped on the window or pasted; true while some hover over it. */
export function useDroppedFiles(
  isActive: boolean,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    if (!isActive) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const take = (event: Event, data: DataTransfer | null): void => {
      const files = [...(data?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    const hover = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      // Without this, the browser opens the file in place of the panel.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    addEventListener("dragover", hover, { signal });
    addEventListener("dragleave", leave, { signal });
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        take(event, event.dataTransfer);
      },
      { signal },
    );
    addEventListener("paste", (event) => take(event, event.clipboardData), { signal });
    return () => ending.abort();
  }, [isActive]);
  return isOver;
}
