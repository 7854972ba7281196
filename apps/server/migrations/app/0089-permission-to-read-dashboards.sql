-- Reading dashboards has a permission of its own: roles that read all of insights keep reading dashboards.
UPDATE custom_role SET permissions = array_append(permissions, 'READ_DASHBOARD'), version = version + 1
 WHERE 'READ_INSIGHTS' = ANY (permissions) AND NOT 'READ_DASHBOARD' = ANY (permissions);
