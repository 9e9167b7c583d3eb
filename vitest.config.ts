import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/secret-check.ts'],
    setupFiles: ['test/support/patience.ts'],
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts', 'test/property/**/*.test.ts', 'test/bench/**/*.test.ts'] } },
      // Growth is measured in CPU time: garbage is collected between measurements, and by the thread that made it.
      {
        extends: true,
        test: {
          name: 'growth',
          // A square is steep each time it is measured, a moment of the machine is not.
          retry: 2,
          include: ['test/growth/**/*.test.ts'],
          execArgv: ['--expose-gc', '--single-threaded-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'],
        },
      },
    ],
  },
});
