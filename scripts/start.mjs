// npm start: prepares the project, then runs the server until it is stopped.
import { join } from 'node:path'
import { loadEnvFile } from './env-file.mjs'
import { checkPort } from './port.mjs'
import { node, prepare } from './prepare.mjs'
import { endWith, root } from './run.mjs'
import { supervise } from './supervise.mjs'

try {
  loadEnvFile()
  await checkPort()
  await prepare('pt', 'running')
} catch (error) {
  endWith(error)
}

supervise(node, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
  cwd: root,
  env: {
    // Node reuses the compiled code of the last start.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compilado'),
    // Returns the memory of image processing to the system. By default, glibc keeps hundreds of megabytes after the
    // first images.
    MALLOC_MMAP_THRESHOLD_: '131072',
    ...process.env,
    NODE_ENV: 'production',
  },
  stdio: 'inherit',
})
