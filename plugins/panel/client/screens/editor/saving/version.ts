/** A text that the server knows. */
export interface Version {
  readonly text: string;
  readonly etag: string;
  /** False: the live file. */
  readonly isDraft: boolean;
}
