// Loaded into a server process by --import: a signal raises an error that no code handles.
process.on('SIGUSR2', () => {
  throw new Error('thrown on purpose')
})
process.on('SIGHUP', () => {
  Promise.reject(new Error('rejected on purpose'))
})
