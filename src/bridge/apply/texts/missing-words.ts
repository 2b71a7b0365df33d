/** The words with which the script of the pages shows what is missing in an answer. */
export interface MissingWords {
  /** The title of the summary. */
  title: string;
  /** Before each message, for screen readers. */
  prefix: string;
  /** By the kind of the missing part. None suggests an answer. */
  messages: { text: string; choice: string; date: string; answer: string };
}
