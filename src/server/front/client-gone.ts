/** What whoever waits for a client is told when the wait is over. One for all: every connection closes in the end, and a stack for each request is dear. */
export const clientGone = new DOMException('This operation was aborted', 'AbortError');
