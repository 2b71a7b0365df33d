/** The statements of the store. Each is one step by itself. */
export function postgresStatements(schema: string) {
  const applications = `${schema}.applications`;
  const deliveries = `${schema}.deliveries`;
  const references = `${schema}.later_references`;
  const facts = `${schema}.facts`;
  return {
    saveLink: `
      with saved as (
        insert into ${applications} (application_id, reference, user_id, created_at, link) values ($1, $2, $3, $4, $5)
        on conflict (application_id) do update
          set created_at = excluded.created_at, link = excluded.link, is_open = true
        returning application_id, reference
      )
      insert into ${references} (reference, application_id) select $2, application_id from saved where reference <> $2`,
    linkOfApplication: `select link from ${applications} where application_id = $1`,
    linkOfReference: `
      select link from ${applications} where reference = $1
      union all
      select link::json from ${references} join ${applications} using (application_id) where ${references}.reference = $1`,
    linksOfUser: `select link from ${applications} where user_id = $1 order by created_at desc, application_id desc limit $2`,
    openLinks: `select link from ${applications} where is_open and application_id > $1 order by application_id limit $2`,
    finish: `update ${applications} set is_open = false where application_id = $1 and is_open`,

    readState: `select state from ${applications} where application_id = $1`,
    replaceState: `
      with replaced as (
        update ${applications} set version = $3, state = $4 where application_id = $1 and version = $2 returning 1
      ), added as (
        insert into ${facts} (application_id, fact_id, fact)
        select $1, kept.id, kept.fact::json
        from unnest($5::text[], $6::text[]) with ordinality as kept (id, fact, place)
        where exists (select from replaced)
        order by kept.place
      )
      select exists (select from replaced) as is_replaced`,

    acceptDelivery: `
      with added as (
        insert into ${deliveries} (application_id, delivery_id, type, received_at) values ($1, $2, $3, $4)
        on conflict do nothing returning position
      )
      select
        (select position from added)::text as position,
        (select is_settled from ${deliveries} where application_id = $1 and delivery_id = $2) as is_settled`,
    forgetDeliveries: `
      delete from ${deliveries} where application_id = $1 and is_settled and position <= (
        select position from ${deliveries} where application_id = $1 order by position desc offset 200 limit 1
      )`,
    unsettledDeliveries: `
      select delivery_id as id, type, received_at as "receivedAt" from ${deliveries}
      where application_id = $1 and not is_settled order by position`,
    settleDeliveries: `
      update ${deliveries} set is_settled = true
      where application_id = $1 and delivery_id = any($2::text[]) and not is_settled`,

    claimLease: `
      update ${applications} set lease_holder = $2, lease_until = now() + $3 * interval '1 millisecond'
      where application_id = $1 and (lease_holder is null or lease_holder = $2 or lease_until < now())
        and exists (select from ${facts} where application_id = $1)
      returning 1`,
    facts: `select fact from ${facts} where application_id = $1 order by position`,
    strikeFact: `
      with struck as (delete from ${facts} where application_id = $1 and fact_id = $3)
      select lease_holder = $2 as is_held from ${applications} where application_id = $1`,
    releaseFacts: `
      update ${applications} set lease_holder = null, lease_until = null where application_id = $1 and lease_holder = $2`,

    leftWork: `
      select distinct application_id from (
        select application_id from ${deliveries} where not is_settled and received_at < $1
        union all
        select application_id from ${facts} join ${applications} using (application_id)
        where lease_until is null or lease_until < now()
      ) as left_work where application_id > $3 order by application_id limit $2`,

    publish: `select pg_notify($1, $2)`,
  };
}
