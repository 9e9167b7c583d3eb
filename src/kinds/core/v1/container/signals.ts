// The signals that can stop a container, by the system it runs on.

const plain =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT RTMAX RTMIN SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ';

export const linuxSignals: readonly string[] = [
  ...plain.split(' ').map((name) => `SIG${name}`),
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`),
].toSorted();

export const windowsSignals: readonly string[] = ['SIGKILL', 'SIGTERM'];
