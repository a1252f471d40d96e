/** What a caller's git or session left in the environment belongs to no test. */
for (const name of Object.keys(process.env)) if (/^(?:GIT_|REMNANT)/.test(name)) delete process.env[name]
