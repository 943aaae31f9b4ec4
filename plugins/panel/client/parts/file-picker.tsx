import { Upload } from "lucide";
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "./icon.js";
import { t } from "./parts-texts.js";

interface FilePickerProps {
  label: string;
  /** What can be chosen, as the attribute of a file input. */
  accept?: string;
  multiple?: boolean;
  disabled?: boolean;
  /** Below the picker. */
  help?: string;
  /** Receives at least one file; only one without `multiple`. */
  onFiles(files: readonly File[]): void;
}

/** Takes files that are chosen or dropped on it. */
export function FilePicker(props: FilePickerProps): VNode {
  const { label, accept, multiple = false, disabled = false, help, onFiles } = props;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])].slice(0, multiple ? undefined : 1);
    if (files.length > 0 && !disabled) onFiles(files);
  };
  return (
    <div class="grow stack-small">
      <label for={id}>{label}</label>
      <div
        class={isOver ? "file-picker is-over" : "file-picker"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          // The window takes what is dropped elsewhere.
          event.stopPropagation();
          setOver(false);
          take(event.dataTransfer?.files);
        }}
      >
        <span class="button" aria-hidden="true">
          <Icon of={Upload} />
          {t(multiple ? "files.choose" : "file.choose")}
        </span>
        <span class="dim" aria-hidden="true">
          {t(multiple ? "files.drop" : "file.drop")}
        </span>
        <input
          id={id}
          type="file"
          accept={accept}
          multiple={multiple}
          disabled={disabled}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again.
            currentTarget.value = "";
          }}
        />
      </div>
      {help !== undefined && (
        <span class="help" id={`${id}-help`}>
          {help}
        </span>
      )}
    </div>
  );
}
