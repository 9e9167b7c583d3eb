/** The error with which a handler that waits for its client is rejected when the client has gone. One for all: every connection closes in the end, and a stack for each request is dear. */
export const clientGone = new DOMException('This operation was aborted', 'AbortError');
